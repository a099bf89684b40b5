"""AuthService: how players get an identity."""

from durak_server.api.calls import Context
from durak_server.api.failures import CallFailed
from durak_server.api.gate import Gate
from durak_server.api.requests import player_name
from durak_server.api.tokens import Tokens
from durak_server.observe.metrics import PlayMetrics
from durak_server.pb.durak.v1 import auth_service_pb2 as pb
from durak_server.pb.durak.v1 import error_pb2
from durak_server.pb.durak.v1.auth_service_pb2_grpc import AuthServiceServicer


class AuthService(AuthServiceServicer):
    """Makes guests, if there are `tokens` for them."""

    def __init__(self, gate: Gate, tokens: Tokens | None, metrics: PlayMetrics) -> None:
        self._gate = gate
        self._tokens = tokens
        self._metrics = metrics

    async def CreateGuest(  # noqa: N802  (named by the contract)
        self, request: pb.CreateGuestRequest, context: Context
    ) -> pb.CreateGuestResponse:
        """Make a player."""
        self._gate.enter_unknown(context)
        if self._tokens is None:
            raise CallFailed(
                error_pb2.ERROR_REASON_GUESTS_REFUSED,
                "There are no guests here: bring a token of the identity provider.",
            )
        caller, token = self._tokens.new_guest(player_name(request.name))
        self._metrics.guests_created.inc()
        return pb.CreateGuestResponse(
            player_id=caller.player_id,
            token=token,
            expires_in_seconds=int(self._tokens.lifetime.total_seconds()),
        )
