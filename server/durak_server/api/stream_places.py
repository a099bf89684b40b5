"""The places that a stream takes: one of its player's, and one of his address's."""

from durak_server.api.addresses import Addresses
from durak_server.api.calls import Context
from durak_server.api.stream_count import StreamCount
from durak_server.api.until_over import hold_until_over


class StreamPlaces:
    """Counts open streams by player and by address.

    Args:
        of_player: how many each player may have open.
        of_address: how many may be open from each address.
        addresses: tells where a call comes from.
    """

    def __init__(
        self, of_player: StreamCount, of_address: StreamCount, addresses: Addresses
    ) -> None:
        self._of_player = of_player
        self._of_address = of_address
        self._addresses = addresses

    def take(self, player_id: str, context: Context) -> None:
        """Count the stream that is being served, until its call is over.

        Raises:
            CallFailed: the player or his address has as many as there may be.
        """
        hold_until_over(self._of_player.one_of(player_id, "The player"))
        hold_until_over(self._of_address.one_of(self._addresses.of(context), "The address"))
