"""`durak play --plain` driven through pipes, against a real server."""

import re
import signal
from datetime import timedelta
from pathlib import Path

import pytest

from durak_client import play
from durak_client.cli import words
from durak_client.cli.guests import Guest, saved_guest
from durak_client.cli.teller import Teller
from tests.client.players import Chooser, player, whole_log
from tests.client.relays import wire_to
from tests.live_server import running_server
from tests.terminal.commands import ALWAYS_THE_FIRST_MOVE, begin, durak, end, read_until

RESULT = re.compile(r"(You are|\w+ is) the fool\.|A draw: nobody is the fool\.")


@pytest.mark.parametrize("preset", ["podkidnoy", "perevodnoy"])
@pytest.mark.parametrize("seats", ["2", "4"])
async def test_a_match_is_played_to_the_fool_by_numbers(
    preset: str, seats: str, tmp_path: Path
) -> None:
    async with running_server() as server:
        played = await durak(
            tmp_path,
            *("play", "--plain", "--server", f"127.0.0.1:{server.port}"),
            *("--preset", preset, "--seats", seats, "--bots", "random", "--name", "Vasya"),
            typed=ALWAYS_THE_FIRST_MOVE,
        )
    assert (played.code, played.err) == (0, "")
    assert RESULT.fullmatch(played.last_line)
    if seats == "2":  # more bots may have played more than is told to one who comes later
        assert "The match starts.\nDeal 1: " in played.out
    assert words.SENDING not in played.out  # no line was spent before a move was due
    assert played.out.isascii()
    assert "\x1b" not in played.out


async def test_single_options_of_the_rules_are_played(tmp_path: Path) -> None:
    rules = ("--rule", "lead_many=off", "--rule", "seats=3", "--rule", "throw_in=NEIGHBOURS")
    async with running_server() as server, player(server.port, "Watcher") as watcher:
        address = ("--server", f"127.0.0.1:{server.port}")
        await durak(tmp_path, "play", "--plain", *rules, *address, typed="1\n")
        (info,) = [info async for info in watcher.matches(statuses=["ABANDONED"])]
    said = {name: info.rules[name] for name in ("lead_many", "seats", "throw_in", "deck")}
    assert said == {"lead_many": False, "seats": 3, "throw_in": "NEIGHBOURS", "deck": 36}


async def test_the_end_of_a_pipe_leaves_the_match(tmp_path: Path) -> None:
    async with running_server() as server:
        address = f"127.0.0.1:{server.port}"
        played = await durak(tmp_path, "play", "--plain", "--server", address, "--name", "Vasya")
        assert (played.code, played.last_line, played.err) == (0, "You left the match.", "")
        async with player(server.port, "Boris") as other:
            (info,) = [info async for info in other.matches(statuses=["abandoned", "playing"])]
    assert (info.status.name, info.seats[0].name) == ("ABANDONED", "Vasya")
    assert info.seats[0].has_left


async def test_a_seat_is_kept_and_taken_up_again(tmp_path: Path) -> None:
    async with running_server() as server:
        address = ("--server", f"127.0.0.1:{server.port}")
        kept = await durak(tmp_path, "play", "--plain", *address, typed="q\nk\n")
        resumed = await durak(
            tmp_path, "play", "--resume", "--plain", *address, typed=ALWAYS_THE_FIRST_MOVE
        )
        nothing = await durak(tmp_path, "play", "--resume", "--plain", *address)
    come_back = f"durak play --resume {' '.join(address)}"
    assert kept.last_line == f"Your seat is kept. Come back with: {come_back}"
    assert RESULT.fullmatch(resumed.last_line)
    assert (kept.code, resumed.code, nothing.code) == (0, 0, 1)
    assert nothing.err == "You have no unfinished match here. `durak play` starts one.\n"


async def test_what_is_typed_is_answered(tmp_path: Path) -> None:
    async with running_server() as server:
        process = await begin(tmp_path, "play", "--plain", "--server", f"127.0.0.1:{server.port}")
        assert process.stdin is not None
        for typed, answer in (
            ("h", "Type the number of a move."),
            ("", "Your move (number plays"),
            ("99", "There is no move 99; the moves go from 1 to "),
            ("nonsense", "That is no legal move now; h is help."),
            ("q", "Quit: l leaves the match for good"),
            ("l", "You left the match."),
        ):
            process.stdin.write(f"{typed}\n".encode())
            await read_until(process, answer)
        assert (await end(process)).code == 0


async def test_players_talk_and_do_not_hear_whom_they_mute(tmp_path: Path) -> None:
    async with running_server() as server, player(server.port, "Boris") as boris:
        friend = await boris.create_match(start_when_full=True)
        address = f"127.0.0.1:{server.port}"
        options = ("play", "--plain", "--server", address, "--join", friend.match_id)
        process = await begin(tmp_path, *options)
        assert process.stdin is not None
        while not (view := await friend.view()).status.is_over and view.seats[1].is_free:
            pass
        if view.legal_moves:
            await friend.move(view.legal_moves[0])
        await friend.say("Your turn")
        await read_until(process, "Boris: Your turn")
        for typed, answer in (
            ("say Hello", "You: Hello!"),
            ("say I see, I see", "You: I see, I see"),
            ("mute Nobody", "Nobody here is called Nobody."),
            ("mute boris", "You do not hear Boris any more."),
        ):
            process.stdin.write(f"{typed}\n".encode())
            await read_until(process, answer)
        await friend.say("Noise")
        process.stdin.write(b"say Quiet here\n")
        unheard = await read_until(process, "You: Quiet here")
        process.stdin.write(b"unmute Boris\n")
        await read_until(process, "You hear Boris again.")
        await friend.say("Better?")
        assert "Noise" not in unheard + await read_until(process, "Boris: Better?")
        process.stdin.write(b"q\nl\n")
        assert (await end(process)).code == 0


async def test_a_lost_connection_is_announced_and_nothing_goes_untold(tmp_path: Path) -> None:
    async with running_server() as server, wire_to(server.port) as wire:
        address = f"127.0.0.1:{wire.port}"
        process = await begin(tmp_path, "play", "--plain", "--server", address)
        before = await read_until(process, "Your move (")
        for _ in range(3):
            wire.cut()
            before += await read_until(process, "Connection lost (")
            before += await read_until(process, "The connection is back.")
        played = await end(process, ALWAYS_THE_FIRST_MOVE)
        told = await everything_told(server.port, guest_at(address, tmp_path))
    assert (played.code, played.err) == (0, "")
    lines = (before + played.out).splitlines()
    assert [line for line in lines if line in told] == told


def guest_at(address: str, state: Path) -> Guest:
    guest = saved_guest(address, state / "durak" / "guests.json")
    assert guest is not None
    return guest


async def everything_told(port: int, guest: Guest) -> list[str]:
    """Return the newest match of a guest in sentences, as a plain front tells it."""
    async with player(port, token=guest.token) as client:
        info = await anext(client.my_matches(statuses=["finished"]))
        view = await client.match(info.match_id).view()
        log = await whole_log(client.match(info.match_id))
    teller = Teller(view, view.seat, lambda card: card.code)
    return [sentence for event in log if (sentence := teller.tell(event.fact))]


async def test_friends_play_each_other_by_code(tmp_path: Path) -> None:
    async with running_server() as server:
        address = ("--plain", "--server", f"127.0.0.1:{server.port}")
        host = await begin(tmp_path, "play", "--open", "--name", "Vasya", *address)
        line = await read_until(host, "durak play --join ")
        told = line.splitlines()[-1].partition(" durak ")[2].split()
        assert told[-2:] == list(address[1:])
        guest = await begin(tmp_path, *told, "--plain", "--guest", "--name", "Boris")
        assert guest.stdin is not None
        guest.stdin.write(ALWAYS_THE_FIRST_MOVE.encode())
        results = {(await end(host, ALWAYS_THE_FIRST_MOVE)).last_line, (await end(guest)).last_line}
    assert results in (
        {"You are the fool.", "Vasya is the fool."},
        {"You are the fool.", "Boris is the fool."},
        {"A draw: nobody is the fool."},
    )


async def test_a_host_says_for_whom_seats_are_kept_and_how_long_his_code_is_taken(
    tmp_path: Path,
) -> None:
    async with running_server() as server, player(server.port, "Boris") as boris:
        where = ("--plain", "--server", f"127.0.0.1:{server.port}", "--guest")
        kept = ("--reserve", boris.player_id, "--reserve-for-code", "1", "--invite-minutes", "30")
        host = await begin(tmp_path, "play", "--open", "--seats", "4", *kept, *where)
        await read_until(host, "durak play --join ")
        (listed,) = [info async for info in boris.matches()]
        joined = await boris.join(listed.match_id)
        host.send_signal(signal.SIGINT)
        await end(host)

    assert (listed.reserved_seats, joined.seat) == (2, 1)
    assert joined.info
    assert joined.info.invite_expires_at
    assert joined.info.invite_expires_at - listed.created_at == timedelta(minutes=30)


async def test_seats_are_kept_at_an_open_match_only(tmp_path: Path) -> None:
    for option in (("--reserve", "ID"), ("--reserve-for-code", "1"), ("--invite-minutes", "5")):
        refused = await durak(tmp_path, "play", *option)
        assert (refused.code, "--open" in refused.err) == (2, True)


async def test_watching_the_own_match_shows_no_hand_and_gives_no_seat_up(tmp_path: Path) -> None:
    async with running_server() as server:
        address = f"127.0.0.1:{server.port}"
        await durak(tmp_path, "play", "--plain", "--server", address, typed="q\nk\n")
        async with player(server.port, token=guest_at(address, tmp_path).token) as client:
            (info,) = [info async for info in client.my_matches()]
            watching = await begin(tmp_path, "watch", info.match_id, "--server", address)
            await read_until(watching, "Deal 1: ")
            await play(client, info.match_id, Chooser(5))
        watched = await end(watching)
    assert RESULT.fullmatch(watched.last_line)
    assert "Your" not in watched.out
    assert "left" not in watched.out


async def test_a_match_is_watched_to_its_end(tmp_path: Path) -> None:
    async with running_server() as server, player(server.port, "Anna") as anna:
        match = await anna.create_match(seats=2)
        await match.add_bot()
        watching = await begin(
            tmp_path, "watch", match.match_id, "--server", f"127.0.0.1:{server.port}"
        )
        await read_until(watching, "Anna sits down.")
        await match.start()
        await play(anna, match, Chooser(4))
        watched = await end(watching)
    assert watched.code == 0
    assert RESULT.fullmatch(watched.last_line)
    assert "Your" not in watched.out
