"""An operator of a server in the test's own process, with the service that is his alone."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from grpc import aio

from durak_server.api.callers import Caller, Scope
from durak_server.api.tokens import Tokens
from durak_server.app import DurakServer
from durak_server.pb.durak.v1 import admin_service_pb2 as pb
from durak_server.pb.durak.v1.admin_service_pb2_grpc import AdminServiceStub
from tests.live_server import Metadata

SECRET = "a secret of at least thirty-two characters"
OPERATED: dict[str, Any] = {"admin_listen": "127.0.0.1:0", "token_secret": SECRET}
"""Settings of a server that has such a service."""


def kept_in(folder: Path) -> dict[str, Any]:
    """Return settings of one that keeps its data in a folder, the audit log too."""
    return OPERATED | {"store": "sqlite", "data": folder}


def token_with(*scopes: Scope, subject: str = "operator-anna") -> str:
    """Return a token with these scopes, good for a day; an operator's, unless said otherwise."""
    day, now = timedelta(days=1), datetime.now(UTC)
    caller = Caller(subject, "Anna", frozenset(scopes), (now + day).timestamp())
    return Tokens(SECRET, day, lambda: now).sign(caller)


@dataclass(frozen=True)
class Operator:
    """Calls the service; each method is one call, its arguments the fields of the request."""

    channel: aio.Channel
    token: str

    @property
    def metadata(self) -> Metadata:
        return (("authorization", f"Bearer {self.token}"),)

    async def list(
        self,
        **fields: Any,  # Any: as in all these methods, each field has a type of its own
    ) -> pb.ListAllMatchesResponse:
        request = pb.ListAllMatchesRequest(**fields)
        return await AdminServiceStub(self.channel).ListAllMatches(request, metadata=self.metadata)

    async def inspect(self, match_id: str, **fields: Any) -> pb.InspectMatchResponse:
        request = pb.InspectMatchRequest(match_id=match_id, **fields)
        return await AdminServiceStub(self.channel).InspectMatch(request, metadata=self.metadata)

    async def terminate(self, match_id: str, text: str = "") -> int:
        request = pb.TerminateMatchRequest(match_id=match_id, text=text)
        return (
            await AdminServiceStub(self.channel).TerminateMatch(request, metadata=self.metadata)
        ).sequence

    async def ban(self, player_id: str, **fields: Any) -> pb.BanPlayerResponse:
        request = pb.BanPlayerRequest(player_id=player_id, **fields)
        return await AdminServiceStub(self.channel).BanPlayer(request, metadata=self.metadata)

    async def unban(self, player_id: str) -> bool:
        request = pb.UnbanPlayerRequest(player_id=player_id)
        stub = AdminServiceStub(self.channel)
        return (await stub.UnbanPlayer(request, metadata=self.metadata)).was_banned

    async def bans(self, **fields: Any) -> pb.ListBansResponse:
        request = pb.ListBansRequest(**fields)
        return await AdminServiceStub(self.channel).ListBans(request, metadata=self.metadata)

    async def drain(self) -> None:
        await AdminServiceStub(self.channel).Drain(pb.DrainRequest(), metadata=self.metadata)

    async def limits(self) -> dict[str, pb.RateLimit]:
        stub, request = AdminServiceStub(self.channel), pb.GetLimitsRequest()
        answer = await stub.GetLimits(request, metadata=self.metadata)
        return {limit.name: limit for limit in answer.limits}

    async def set_limits(self, **per_second: float) -> dict[str, pb.RateLimit]:
        return await self.change_limits(
            [pb.RateChange(name=name, per_second=rate) for name, rate in per_second.items()]
        )

    async def change_limits(self, changes: Sequence[pb.RateChange]) -> dict[str, pb.RateLimit]:
        stub, request = AdminServiceStub(self.channel), pb.SetLimitsRequest(changes=changes)
        answer = await stub.SetLimits(request, metadata=self.metadata)
        return {limit.name: limit for limit in answer.limits}


@asynccontextmanager
async def operating(server: DurakServer, *scopes: Scope) -> AsyncIterator[Operator]:
    """Connect to a server's operator service with these scopes, else with "admin" alone."""
    async with aio.insecure_channel(f"127.0.0.1:{server.admin_port}") as channel:
        yield Operator(channel, token_with(*(scopes or (Scope.ADMIN,))))
