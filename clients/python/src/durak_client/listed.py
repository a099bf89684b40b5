"""Lists of matches, page by page."""

from collections.abc import AsyncIterator

from durak_client.calls import Calls
from durak_client.matches import MatchInfo
from durak_client.pb.durak.v1 import lobby_service_pb2
from durak_client.wire_model import match_info


async def listed(
    calls: Calls,
    request: lobby_service_pb2.ListMatchesRequest | lobby_service_pb2.ListMyMatchesRequest,
) -> AsyncIterator[MatchInfo]:
    """Iterate over the matches of all pages."""
    while True:
        page: lobby_service_pb2.ListMatchesResponse | lobby_service_pb2.ListMyMatchesResponse
        if isinstance(request, lobby_service_pb2.ListMatchesRequest):
            page = await calls.call(lambda stubs: stubs.lobby.ListMatches, request)
        else:
            page = await calls.call(lambda stubs: stubs.lobby.ListMyMatches, request)
        for info in page.matches:
            yield match_info(info)
        request.page_token = page.next_page_token
        if not page.next_page_token:
            return
