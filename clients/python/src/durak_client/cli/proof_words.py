"""What `durak verify` says, in English; see `words`."""

from collections.abc import Mapping

from durak_client.fair_table import Misfit
from durak_client.proofs import Breach, Proof, Verdict

NO_DOCUMENT = "This is no document of a match: {problem}"
GAME_PROVES_NOTHING = (
    "A game as text leaves the seeds out and proves nothing: name the match's id, its archive,"
    " or a document that --save kept."
)
NO_DEALS = "No cards have been dealt."

_PROVEN = "proven. The cards are those to which the server was bound beforehand, {seeds}."
_BROKEN = "NOT FAIR. {breach} (event {sequence})."
_SECRET = "still played; the server's seed is shown when it is over."
_UNBOUND = "not provable: the server was bound to nothing when it dealt."
_NOBODYS = "but no player added a seed"
_SOMEBODYS = "mixed with the seeds of {names}"

_BREACHES: Mapping[Breach | Misfit, str] = {
    Breach.COMMITMENT: "The seed that the server showed is not the one that it committed to",
    Breach.COMMITTED_TWICE: "The server committed to a seed a second time, or too late",
    Breach.SEED_OUT_OF_TIME: "A player's seed was taken at a time when none may be",
    Breach.SHOWN_EARLY: "The server showed its seed before it dealt",
    Breach.NEVER_SHOWN: "The deal is over and the server has not shown its seed",
    Misfit.ORDER: "The seeds give another order of the deck",
    Misfit.HAND: "The seeds give another hand than the one that was shown",
    Misfit.TRUMP: "The seeds give another trump than the one that was turned up",
    Misfit.STOCK: "The stock had another size than the seeds give it",
    Misfit.DRAWN: "Other cards were drawn than those that came next in the deck",
    Misfit.PLAYED: "A card was played that the seeds did not give to its player",
    Misfit.COVERED: "A card was covered that did not lie open, or by one that does not beat it",
}


def proof_in_words(proof: Proof, names: Mapping[int, str]) -> str:
    """Return what became of a deal as a line; `names` are those of the players by seat."""
    return f"Deal {proof.deal}: {_verdict(proof, names)}"


def _verdict(proof: Proof, names: Mapping[int, str]) -> str:
    match proof.verdict:
        case Verdict.PROVEN:
            added = " and ".join(names.get(seat, f"seat {seat}") for seat in proof.seats)
            seeds = _SOMEBODYS.format(names=added) if added else _NOBODYS
            return _PROVEN.format(seeds=seeds)
        case Verdict.BROKEN:
            assert proof.breach, "a broken promise is one of those listed"
            return _BROKEN.format(breach=_BREACHES[proof.breach], sequence=proof.sequence)
        case Verdict.SECRET:
            return _SECRET
        case Verdict.UNBOUND:
            return _UNBOUND
