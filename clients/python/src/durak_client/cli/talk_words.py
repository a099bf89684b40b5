"""Table talk in English: how it is told, and what a typed line means."""

from durak_client.talk import Phrase, Reaction, Speech

HELP = (
    "say hello talks to the table, in any words; mute NAME stops hearing a player, unmute ends it."
)
NOBODY_TO_MUTE = "Nobody here is called {name}."
MUTED = "You do not hear {name} any more."
UNMUTED = "You hear {name} again."

_PHRASES = {
    Phrase.HELLO: "Hello!",
    Phrase.GOOD_LUCK: "Good luck!",
    Phrase.WELL_PLAYED: "Well played!",
    Phrase.THANKS: "Thanks!",
    Phrase.SORRY: "Sorry!",
    Phrase.HURRY_UP: "Hurry up!",
    Phrase.ONE_MOMENT: "One moment.",
    Phrase.BEAT_THAT: "Beat that!",
    Phrase.TAKE_THEM: "Take them!",
    Phrase.BAD_LUCK: "What bad luck!",
    Phrase.ONE_MORE: "One more match?",
    Phrase.GOODBYE: "Goodbye!",
}
_REACTIONS = {
    Reaction.THUMB_UP: "(thumb up)",
    Reaction.APPLAUSE: "(applause)",
    Reaction.LAUGHTER: "(laughter)",
    Reaction.SURPRISE: "(surprise)",
    Reaction.SADNESS: "(sadness)",
    Reaction.ANGER: "(anger)",
}


def speech_in_words(speech: Speech) -> str:
    """Return what was said; one of a kind not known here by its name."""
    if isinstance(speech, Phrase):
        return _PHRASES.get(speech, speech.word)
    if isinstance(speech, Reaction):
        return _REACTIONS.get(speech, f"({speech.word})")
    return speech


def typed_speech(text: str) -> Speech:
    """Return the phrase or reaction that `text` names, else the text itself."""
    name = text.strip(" !?.").upper().replace(" ", "_")
    known: dict[str, Phrase | Reaction] = {
        member.name: member for member in (*Phrase, *Reaction) if member
    }
    return known.get(name, text)
