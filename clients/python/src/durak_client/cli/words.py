"""What the `durak` command says, in English. Another language is another module like this one."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from durak_client import events as facts
from durak_client.cards import Card, Suit
from durak_client.matches import Option
from durak_client.moves import Move, MoveKind
from durak_client.view import Deal, DealEnd, DealResult, Phase, View

PROMPT = "Your move"
WAITING = "Waiting for {names}."
TO_PLAY = "number plays, several join cards, h help, q quit"
TO_WATCH = "You watch. q quits."
TO_WAIT = "q quits."
NOT_YOUR_TURN = "It is not your turn; h is help, q quits."
SENDING = "One move is on its way."
HELP_ENDS = "Enter goes back to the table."
LEAVE_OR_STAY = (
    "Quit: l leaves the match for good, k keeps your seat for `durak play --resume`, Enter goes on."
)
KEPT = "Your seat is kept. Come back with: durak play --resume{elsewhere}"
LEFT = "You left the match."
BACK = "The connection is back."
LOST = "Connection lost ({cause}). Trying again."
REFUSED = "Not possible: {message}"
NO_SUCH_NUMBER = "There is no move {number}; the moves go from 1 to {last}."
NOT_TOGETHER = "These cards cannot be played together."
NO_SUCH_MOVE = "That is no legal move now; h is help."
SEVERAL_MEANINGS = "That can mean several things; type one of the numbers {numbers}."
OPEN_SEATS = "Waiting for players. Others join with: durak play --join {code}{elsewhere}"
ANOTHER_MATCH = "Another match? y yes, n no"
WANTED = "Waiting for the others. n stops waiting."
MATCH_OVER = "The match is over."
LOOK_BACK = "Look back at it: durak replay {match}{elsewhere}"
FREE_SEAT = "free seat"
NOTHING_TO_RESUME = "You have no unfinished match here. `durak play` starts one."
GUEST_NOT_KEPT = "You will not be known when you come back: {problem}"
TO_HOST = "ready, unready; the owner: start, remove NUMBER; q quits."
READY = " (ready)"
NOBODY_SITS = "Nobody sits on seat {number}."
MATCH_HEADINGS = ("match", "state", "rules", "seats", "made")
HAS_PASSWORD = " (with a password)"
MATCH_GONE = "{match}  gone"
NO_MATCHES = "There are no matches. `durak play` starts one."
UNREACHABLE = (
    "No server answers at {server}. `durak-server serve` starts one; --server names another."
)
WITHOUT_PORT = "{server} (port 443, as no other is named)"
NOT_TRUSTED = (
    "The certificate of {server} is not trusted here ({why}); "
    "--ca names a PEM file of whom to trust."
)
NOT_TRUSTED_FOR_SOME_REASON = (
    "The certificate of {server} is not trusted here; --ca names a PEM file of whom to trust."
)
ANOTHERS_CERTIFICATE = (
    "The certificate of {server} is for another name; give --server a name that it is for."
)
NO_TLS = (
    "{server} does not speak TLS; leave out --tls and --ca, and whoever listens can read along."
)
NO_AUTHORITIES = "The file of --ca has no certificate in PEM."
HUNG_UP = (
    "{server} hangs up at once. It may want TLS (--tls, or --ca FILE with whom to trust), or a "
    "certificate of yours, which `durak` cannot show."
)
NOT_NOW = "{server} says: {message}"
NO_MATCH = "There is no match {match!r} that you could see."
NOT_VALID = "The server refused: {message}"
OPEN_CARDS = "open cards"
SEEN_BY = "seen by {who}"
A_SPECTATOR = "a spectator"
REPLAY_KEYS = "arrows n p: step · b B: bout · g G: ends · 1-6: seat · o: open · q: quit"
REPLAY_KEYS_IN_PLAY = "arrows n p: step · b B: bout · g G: ends · q: quit"
NO_FILE = "There is no file {name!r}, and no match has such an id."
NO_EVENT = "There is no event {at}; the last is {last}."
NO_DEAL = "There is no deal {number}."
TABLE_TITLE = "{rules} · deal {deal} · bout {bout} · event {event}"
DEAL_TITLE = "{rules} · deal {deal}"
DRAWN = "Drew {file}"
NEEDS_LOCAL = (
    "A file is opened by the server's own rules, which are not installed here:"
    " pip install 'durak-client[local]'"
)

_ABANDONED = "The match was abandoned."
_TERMINATED = "The operator ended the match."
_EXPIRED = "The match was abandoned: nobody played for too long."

SUITS = {
    Suit.SPADES: "spades",
    Suit.HEARTS: "hearts",
    Suit.DIAMONDS: "diamonds",
    Suit.CLUBS: "clubs",
}

VERBS = {
    MoveKind.ATTACK: "lead",
    MoveKind.THROW_IN: "throw in",
    MoveKind.BEAT: "beat",
    MoveKind.TRANSFER: "transfer with",
    MoveKind.SHOW: "transfer by showing",
    MoveKind.TAKE: "take",
    MoveKind.PASS: "pass (bito)",
    MoveKind.RETRACT: "take back",
    MoveKind.DUMP: "lay on the discard",
    MoveKind.CLAIM_REDEAL: "demand a new deal",
}

MEANINGS = {
    MoveKind.ATTACK: "Lead any card; several cards of one rank may go together if the rules let.",
    MoveKind.THROW_IN: "Throw in cards of a rank that lies on the table.",
    MoveKind.BEAT: "Cover an attack card by a higher card of its suit, or by a trump.",
    MoveKind.TRANSFER: "Pass the attack on to your left with a card of the rank led.",
    MoveKind.SHOW: "Pass the attack on by showing the trump of the rank led; you keep it.",
    MoveKind.TAKE: "Give up: all cards of the bout come to your hand, and you miss your turn.",
    MoveKind.PASS: "Throw in no more. The bout is over when every attacker has passed.",
    MoveKind.RETRACT: "Take back a card you threw in, until it is covered.",
    MoveKind.DUMP: "Get rid of cards you could still have thrown in.",
    MoveKind.CLAIM_REDEAL: "Show your hand and have the cards dealt again.",
}

HELP = (
    "Type the number of a move. Several cards go together as numbers (1 3) or cards (7S 7D).",
    "A cover can also be typed as the card and its cover: 7S 9S. take and pass work as words.",
    "Cards: rank 2-9 T J Q K A and suit S H D C. Get rid of all of them; the last is the fool.",
)


_DEALT_ANEW = (DealEnd.REDEAL, DealEnd.VOID)


def cards_in_words(cards: Iterable[Card], show: Callable[[Card], str] = str) -> str:
    """Return the cards with blanks between them."""
    return " ".join(map(show, cards))


def move_in_words(move: Move, show: Callable[[Card], str] = str) -> str:
    """Return the move as an order: `beat 7♠ with 9♠`."""
    verb = VERBS.get(move.kind, move.kind.word)
    cards = cards_in_words(move.cards, show)
    if move.target is not None:
        return f"{verb} {show(move.target)} with {cards}"
    return f"{verb} {cards}".rstrip()


def role_in_words(deal: Deal, seat: int, *, to_himself: bool = False) -> str:
    """Return what `seat` does in this bout, empty if nothing in particular."""
    you, ending = ("you ", "") if to_himself else ("", "s")
    player = deal.seat(seat)
    if player is None:
        return "not dealt in"
    if player.is_out:
        are = "you are " if to_himself else ""
        return f"{are}out, place {player.place}" if player.place else f"{are}out"
    if deal.phase == Phase.OVER:
        return ""
    if seat == deal.defender:
        return f"{you}{'take' if deal.phase == Phase.TAKING else 'defend'}{ending}"
    if player.has_passed:
        return f"{you}passed"
    return f"{you}attack{ending}" if seat == deal.main_attacker else ""


def time_left(deal: Deal, seat: int, now: datetime | None) -> str:
    """Return the time that a seat has left, such as `0:23`; empty if no clock of its runs."""
    player = deal.seat(seat)
    if now is None or player is None or player.deadline is None:
        return ""
    seconds = max(0, math.ceil((player.deadline - now).total_seconds()))
    return f"{seconds // 60}:{seconds % 60:02}"


def abandoned_in_words(fact: facts.MatchAbandoned) -> str:
    """Say why a match ended before it was played out."""
    match fact.reason:
        case facts.AbandonReason.EXPIRED:
            return _EXPIRED
        case facts.AbandonReason.TERMINATED:
            return f"The operator ended the match: {fact.text}" if fact.text else _TERMINATED
        case _:
            return _ABANDONED


def partners_of(rules: Mapping[str, Option], seats: int, me: int | None) -> tuple[int, ...]:
    """Return the seats on the side of `me` but his own; none without teams, or for a spectator."""
    if me is None or rules.get("teams") != "ALTERNATE":
        return ()
    return tuple(seat for seat in range(me % 2, seats, 2) if seat != me)


def last_result_in_words(view: View, me: int | None) -> str:
    """Return how the last deal ended, as one sentence; empty if it did not."""
    if view.deal is None or view.deal.result is None:
        return ""
    return result_in_words(view.deal.result, view, me)


def result_in_words(result: DealResult, view: View, me: int | None) -> str:
    """Return how a deal of the match ended, as one sentence; `view` may show a later one."""
    if result.reason in _DEALT_ANEW:
        return "The deal does not count; new cards are dealt."
    if not result.fools:
        return "A draw: nobody is the fool."
    if me is not None and me in result.fools:
        return "You are the fool."
    names = " and ".join(view.name_of(fool) for fool in result.fools)
    return f"{names} {'is the fool' if len(result.fools) == 1 else 'are the fools'}."


def score_in_words(times_fool: Sequence[int], view: View, me: int | None) -> str:
    """Return how often each seat was the fool; empty after the one deal of a match."""
    if view.deal is None or view.deal.number < 2:
        return ""
    names = ("You" if seat == me else view.name_of(seat) for seat in range(len(times_fool)))
    counts = ", ".join(f"{name} {times}" for name, times in zip(names, times_fool, strict=True))
    return f"How often the fool: {counts}."
