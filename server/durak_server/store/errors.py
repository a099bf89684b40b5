"""What can go wrong between a match and its log."""


class StoreError(Exception):
    """The store could not do what was asked; the message is for the operator."""


class Conflict(StoreError):
    """The log is not where the writer thought; nothing was stored.

    `head` is the number of its last record, 0 if there is none.
    """

    def __init__(self, head: int) -> None:
        super().__init__(f"the log is at {head}")
        self.head = head


class StoreBusy(StoreError):
    """As many appends as the queue takes are waiting; nothing was stored. Try again."""


class StoreUnavailable(StoreError):
    """The log cannot be written or read just now; surely nothing was stored."""


class OutcomeUnknown(StoreError):
    """The records may have been stored or not: read the log before anything else."""


class StoreCorrupt(StoreError):
    """What the store holds cannot be read, or not understood by this version."""


class StoreNotUsable(StoreError):
    """The store cannot be opened: its place cannot be written, or its file is too new."""


class StoreInUse(StoreNotUsable):
    """Another process has the store open."""


class InvalidPageToken(StoreError):
    """The page token is not one that this store gave."""
