"""The engine and the referee play the same deal; whatever they see differently is told.

This file alone knows both.
"""

from collections.abc import Iterator
from dataclasses import fields
from functools import lru_cache

from durak_server import rules as engine
from durak_server.rules import MoveKind, Refusal, RuleSet
from durak_server.rules.cards import SUITS
from durak_server.rules.law import UNLIMITED
from tests.referee import between_deals
from tests.referee.attackers import waited_for
from tests.referee.cards import Options
from tests.referee.dealing import deal_out
from tests.referee.limits import NO_CAP
from tests.referee.moves import Move, Offer, legal_moves, offers
from tests.referee.playing import Refused, leave, make_move
from tests.referee.position import Position

MANY_MOVES = 2000
"""Groups of more moves are compared as groups, not move by move."""

KINDS = {
    "attack": MoveKind.ATTACK,
    "throw_in": MoveKind.THROW_IN,
    "beat": MoveKind.BEAT,
    "transfer": MoveKind.TRANSFER,
    "show": MoveKind.SHOW,
    "take": MoveKind.TAKE,
    "pass": MoveKind.PASS,
    "retract": MoveKind.RETRACT,
    "dump": MoveKind.DUMP,
    "claim": MoveKind.CLAIM_REDEAL,
}
DEALS, LEAVES = Move("deals"), Move("leaves")
"""Steps that are no moves, for the text of a disagreement."""
NAMES = {kind: name for name, kind in KINDS.items()}


class Disagreement(AssertionError):
    """The two see something differently; the text says what and where."""


class Both:
    """One deal as both play it, compared after every step.

    Raises:
        Disagreement: from any method, when the two no longer agree.
    """

    def __init__(
        self,
        rules: RuleSet,
        order: list[str],
        dealer: int,
        leader: int | None,
        seats: list[int],
    ) -> None:
        self.rules = rules
        cards = [engine.parse_card(name) for name in order]
        self.engine, _ = engine.start_deal(rules, cards, dealer, leader, seats)
        self.referee = deal_out(options_of(rules), order, dealer, leader, seats)
        self.compare(self.engine, dealer, DEALS)

    def make(self, seat: int, move: Move) -> bool:
        """Make a move with both, if they allow it; return whether they do."""
        before = self.engine
        answer = engine.play(before, engine_move(move), seat)
        try:
            make_move(self.referee, seat, move)
            refused = False
        except Refused:
            refused = True
        if refused is not isinstance(answer, Refusal):
            says = answer.reason if isinstance(answer, Refusal) else "allowed"
            allows = "refused" if refused else "allowed"
            raise Disagreement(f"{told(before, seat, move)}: engine {says}, referee {allows}")
        if not isinstance(answer, Refusal):
            self.engine, _ = answer
            self.compare(before, seat, move)
        return not refused

    def leave(self, seat: int) -> None:
        before = self.engine
        self.engine, _ = engine.forfeit(before, seat)
        leave(self.referee, seat)
        self.compare(before, seat, LEAVES)

    def compare(self, before: engine.Position, seat: int, move: Move) -> None:
        """Compare all that can be seen after a step; what led there is for the text only."""
        differences = list(self.differences())
        if differences:
            now = engine.format_position(self.engine)
            raise Disagreement("\n".join([told(before, seat, move), now, *differences]))

    def differences(self) -> Iterator[str]:
        seen, judged = engine_facts(self.engine), referee_facts(self.referee)
        for fact, value in judged.items():
            if seen[fact] != value:
                yield f"{fact}: engine {seen[fact]}, referee {value}"
        for seat in range(self.rules.seats):
            by_engine, by_referee = moves_by_both(self.engine, self.referee, seat)
            if by_engine != by_referee:
                yield (
                    f"moves of seat {seat}: only the engine {by_engine - by_referee}, "
                    f"only the referee {by_referee - by_engine}"
                )
        if self.referee.result is not None:
            yield from self.differences_of_next_deal()

    def differences_of_next_deal(self) -> Iterator[str]:
        ended, result = self.engine.result, self.referee.result
        assert ended is not None
        assert result is not None
        gone = set(self.referee.left)
        options, dealer = self.referee.options, self.referee.dealer
        seen = (
            engine.next_leader(self.rules, ended, gone),
            engine.next_dealer(self.rules, ended, dealer, gone),
        )
        judged = (
            between_deals.next_leader(options, result, gone),
            between_deals.next_dealer(options, result, dealer, gone),
        )
        if seen != judged:
            yield f"next leader and dealer: engine {seen}, referee {judged}"


def told(position: engine.Position, seat: int, move: Move) -> str:
    target = f" on {move.target}" if move.target else ""
    cards = " ".join(sorted(move.cards))
    return f"{engine.format_position(position)}\nseat {seat}: {move.kind} {cards}{target}"


def options_of(rules: RuleSet) -> Options:
    """Return the options as rules.md spells them."""
    values = {field.name: getattr(rules, field.name) for field in fields(rules)}
    return {n: v if isinstance(v, bool | int) else str(v) for n, v in values.items()}


@lru_cache(maxsize=10_000)
def names(cards: tuple[int, ...]) -> list[str]:
    return [engine.card_name(card) for card in cards]


def engine_move(move: Move) -> engine.Move:
    cards = engine.mask_of(map(engine.parse_card, move.cards))
    target = engine.NO_CARD if move.target is None else engine.parse_card(move.target)
    return engine.Move(KINDS[move.kind], cards, target)


@lru_cache(maxsize=100_000)
def sorted_names(mask: int) -> tuple[str, ...]:
    return tuple(sorted(names(engine.cards_of(mask))))


def engine_facts(position: engine.Position) -> dict[str, object]:
    """Return what the engine says, in the referee's words."""
    facts: dict[str, object] = {
        "hands": [sorted_names(hand) for hand in position.hands],
        "stock": names(position.stock),
        "discard": sorted_names(position.discard),
        "out of play": sorted_names(position.removed),
        "trump": SUITS[position.trump],
        "waits for": set(engine.to_act(position)),
        "in play": seats_of(position.in_play),
        "out": [set(group) for group in position.out],
        "left": list(position.forfeited),
        "bouts": (position.bouts, position.barren),
        "result": None,
    }
    ended = position.result
    if ended is not None:
        places = [set(group) for group in ended.places]
        facts["result"] = (str(ended.reason), set(ended.fools), places, ended.epaulettes)
    else:
        facts |= bout_of_engine(position)
    return facts


def bout_of_engine(position: engine.Position) -> dict[str, object]:
    covers = position.covers
    table = [
        (card, covers.get(card, engine.NO_CARD), seat) for card, seat in position.attacks.items()
    ]
    dumped = {seat: sorted_names(cards) for seat, cards in position.dumps}
    return {
        "leader": position.leader,
        "main attacker": position.main_attacker,
        "defender": position.defender,
        "limit": position.limit if position.limit < UNLIMITED else NO_CAP,
        "table": sorted((engine.card_name(a), name_of(c), seat) for a, c, seat in table),
        "dumped": [dumped.get(seat, ()) for seat in range(position.law.seats)],
        "taking": position.taking,
        "passed": seats_of(position.passed),
    }


def referee_facts(deal: Position) -> dict[str, object]:
    shared = deal.options["simultaneous_places"] == "SHARED"
    groups = [[set(group)] if shared else [{seat} for seat in group] for group in deal.out]
    facts: dict[str, object] = {
        "hands": [tuple(sorted(hand)) for hand in deal.hands],
        "stock": deal.stock,
        "discard": tuple(sorted(deal.discard)),
        "out of play": tuple(sorted(deal.out_of_play)),
        "trump": deal.trump,
        "waits for": waited_for(deal),
        "in play": deal.in_play,
        "out": [places for group in groups for places in group],
        "left": deal.left,
        "bouts": (deal.bouts, deal.idle_bouts),
        "result": None,
    }
    if deal.result is not None:
        result = deal.result
        facts["result"] = (result.reason, result.fools, result.places, result.epaulettes)
        del facts["in play"], facts["out"]  # the engine keeps a fool who emptied his hand in play
    else:
        facts |= bout_of_referee(deal)
    return facts


def bout_of_referee(deal: Position) -> dict[str, object]:
    return {
        "leader": deal.leader,
        "main attacker": deal.main_attacker,
        "defender": deal.defender,
        "limit": deal.limit,
        "table": sorted((laid.card, laid.cover or "-", laid.by) for laid in deal.table),
        "dumped": [tuple(sorted(cards)) for cards in deal.dumped],
        "taking": deal.taking,
        "passed": sorted(deal.passed),
    }


def seats_of(mask: int) -> list[int]:
    return [seat for seat in range(6) if mask >> seat & 1]


def name_of(card: int) -> str:
    return "-" if card == engine.NO_CARD else engine.card_name(card)


def moves_by_both(
    position: engine.Position, deal: Position, seat: int
) -> tuple[set[Move] | set[Offer], set[Move] | set[Offer]]:
    """Return the moves of a seat as each of them sees it, single or, when very many, as groups."""
    groups = engine.legal_moves(position, seat)
    if sum(map(engine.count, groups)) > MANY_MOVES:
        return set(map(offer_of, groups)), set(offers(deal, seat))
    singles: set[Move] = set()
    for group in groups:
        singles |= referee_moves(group)
    return singles, legal_moves(deal, seat)


@lru_cache(maxsize=10_000)
def referee_moves(group: engine.MoveGroup) -> frozenset[Move]:
    return frozenset(map(referee_move, engine.expand(group)))


def referee_move(move: engine.Move) -> Move:
    return Move(NAMES[move.kind], frozenset(sorted_names(move.cards)), target_of(move.target))


def offer_of(group: engine.MoveGroup) -> Offer:
    cards = frozenset(sorted_names(group.cards))
    return Offer(NAMES[group.kind], cards, group.max_cards, target_of(group.target))


def target_of(card: int) -> str | None:
    return None if card == engine.NO_CARD else engine.card_name(card)
