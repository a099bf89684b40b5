"""What is said at the table, to the wire and back."""

from durak_server.api.failures import invalid_field
from durak_server.api.requests import plain_text
from durak_server.api.wire_enums import PHRASES, REACTIONS
from durak_server.matches import Speech
from durak_server.pb.durak.v1 import talk_pb2 as pb


def wire_speech(speech: Speech | None) -> pb.Speech | None:
    """Return what was said, None if the viewer does not hear it."""
    if speech is None:
        return None
    if speech.phrase:
        return pb.Speech(phrase=PHRASES[speech.phrase])
    if speech.reaction:
        return pb.Speech(reaction=REACTIONS[speech.reaction])
    return pb.Speech(text=speech.text)


def speech_from_wire(message: pb.Speech, longest: int) -> Speech:
    """Return what a request wants to be said, its text of at most `longest` characters.

    Raises:
        CallFailed: it says nothing, an unknown phrase or reaction, or no plain text.
    """
    match message.WhichOneof("content"):
        case "text":
            return Speech(text=plain_text(message.text, "speech.text", longest))
        case "phrase":
            return Speech(phrase=PHRASES.member(message.phrase, "speech.phrase"))
        case "reaction":
            return Speech(reaction=REACTIONS.member(message.reaction, "speech.reaction"))
        case _:
            raise invalid_field("speech", "must be said")
