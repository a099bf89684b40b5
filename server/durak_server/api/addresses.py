"""Where a call comes from: what the limits per address are counted by."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final, TypeAlias
from urllib.parse import unquote

from durak_server.api.calls import Context
from durak_server.config import Network

_Address: TypeAlias = IPv4Address | IPv6Address
_FORWARDED: Final = "x-forwarded-for"
_HOST_BITS: Final = 64


class Addresses:
    """Tells callers apart by their addresses.

    Args:
        trusted: networks of proxies, whose x-forwarded-for is believed; nobody else's is.
    """

    def __init__(self, trusted: Sequence[Network]) -> None:
        self._trusted = tuple(trusted)

    def of(self, context: Context) -> str:
        """Return the address that a call counts for, see `find`."""
        return self.find(context.peer(), _forwarded(context) if self._trusted else ())

    def find(self, peer: str, forwarded: Sequence[str]) -> str:
        """Return the caller's address; of IPv6 its first 64 bits, since one customer has them all.

        `peer` is whoever is connected, `forwarded` what x-forwarded-for says, line by line. Behind
        trusted proxies the caller is the last one there that is not a proxy himself. Whatever is
        no address ends the search: then the proxy who passed it on is counted.
        """
        address = _address_of_peer(peer)
        if address is None:
            return peer
        for hop in reversed(",".join(forwarded).split(",")):
            before = _parsed(hop) if self._trusts(address) else None
            if before is None:
                break
            address = before
        return _key(address)

    def _trusts(self, address: _Address) -> bool:
        return any(address in network for network in self._trusted)


def _forwarded(context: Context) -> Sequence[str]:
    return [
        value
        for name, value in context.invocation_metadata() or ()
        if name == _FORWARDED and isinstance(value, str)
    ]


def _address_of_peer(peer: str) -> _Address | None:
    """Return the address in ipv4:127.0.0.1:54321 or ipv6:%5B::1%5D:54321."""
    return _parsed(unquote(peer.partition(":")[2].rpartition(":")[0]).strip("[]"))


def _parsed(text: str) -> _Address | None:
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _key(address: _Address) -> str:
    if isinstance(address, IPv4Address):
        return str(address)
    return str(IPv6Network((int(address) >> _HOST_BITS << _HOST_BITS, _HOST_BITS)))
