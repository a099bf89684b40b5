"""The wire: protobuf to domain and back, services, status codes, tokens, limits."""

from durak_server.api.address_limit import AddressLimit
from durak_server.api.addresses import Addresses
from durak_server.api.admin_client import AdminCallFailed, AdminTarget, AdminTls, Json, admin_call
from durak_server.api.admin_service import AdminService, AdminSurroundings
from durak_server.api.auth_service import AuthService
from durak_server.api.call_errors import CallErrors
from durak_server.api.call_lines import CallLines
from durak_server.api.call_logs import CallLogs
from durak_server.api.call_metrics import CallMetrics
from durak_server.api.call_traces import CallTraces
from durak_server.api.callers import Caller, Identities, Scope
from durak_server.api.certificates import Certificates, CertificateUnusable, Tls
from durak_server.api.follow import StreamPace
from durak_server.api.fresh_ids import MatchIds
from durak_server.api.gate import Gate
from durak_server.api.held_refusals import HeldRefusals
from durak_server.api.hidden_matches import HiddenMatches
from durak_server.api.interceptor import CallInterceptor, Concern
from durak_server.api.key_set import KeySet, KeysMissing, keys_at, keys_in
from durak_server.api.lobby_service import LobbyService
from durak_server.api.lobby_surroundings import LobbySurroundings
from durak_server.api.matches_made import MatchesMade
from durak_server.api.one_request import OneRequest
from durak_server.api.open_calls import OpenCalls
from durak_server.api.passwords import Passwords
from durak_server.api.play_service import PlayService
from durak_server.api.play_stream import StreamSurroundings
from durak_server.api.provider_tokens import ProviderTokens, TokenRules
from durak_server.api.rate_limit import RateLimit
from durak_server.api.readings import Readings
from durak_server.api.replay_service import ReplayService
from durak_server.api.run_time_limits import Rate, RunTimeLimits, burst_of
from durak_server.api.server import ApiServer, CannotListen, OperatorServices, Services
from durak_server.api.speaking import TalkLimits
from durak_server.api.stream_count import StreamCount
from durak_server.api.stream_places import StreamPlaces
from durak_server.api.table_pace import TablePace
from durak_server.api.token_bucket import TokenBuckets
from durak_server.api.tokenless_streams import TokenlessStreams
from durak_server.api.tokens import (
    SECRET_FILE,
    SecretNotUsable,
    Tokens,
    kept_secret,
    new_secret,
    secret_beside,
)
from durak_server.api.until_over import UntilOver
from durak_server.api.watching_streams import WatchingStreams
from durak_server.api.well_formed import WellFormed

__all__ = [
    "SECRET_FILE",
    "AddressLimit",
    "Addresses",
    "AdminCallFailed",
    "AdminService",
    "AdminSurroundings",
    "AdminTarget",
    "AdminTls",
    "ApiServer",
    "AuthService",
    "CallErrors",
    "CallInterceptor",
    "CallLines",
    "CallLogs",
    "CallMetrics",
    "CallTraces",
    "Caller",
    "CannotListen",
    "CertificateUnusable",
    "Certificates",
    "Concern",
    "Gate",
    "HeldRefusals",
    "HiddenMatches",
    "Identities",
    "Json",
    "KeySet",
    "KeysMissing",
    "LobbyService",
    "LobbySurroundings",
    "MatchIds",
    "MatchesMade",
    "OneRequest",
    "OpenCalls",
    "OperatorServices",
    "Passwords",
    "PlayService",
    "ProviderTokens",
    "Rate",
    "RateLimit",
    "Readings",
    "ReplayService",
    "RunTimeLimits",
    "Scope",
    "SecretNotUsable",
    "Services",
    "StreamCount",
    "StreamPace",
    "StreamPlaces",
    "StreamSurroundings",
    "TablePace",
    "TalkLimits",
    "Tls",
    "TokenBuckets",
    "TokenRules",
    "TokenlessStreams",
    "Tokens",
    "UntilOver",
    "WatchingStreams",
    "WellFormed",
    "admin_call",
    "burst_of",
    "kept_secret",
    "keys_at",
    "keys_in",
    "new_secret",
    "secret_beside",
]
