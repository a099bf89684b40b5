"""Metrics of what proves who is who."""

from prometheus_client import CollectorRegistry, Counter, Gauge


class IdentityMetrics:
    """What proves who calls."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.key_reads = Counter(
            "durak_identity_key_reads",
            "Times that the keys of the identity provider were read.",
            registry=registry,
        )
        self.key_read_failures = Counter(
            "durak_identity_key_read_failures",
            "Times that they could not be read; the last ones are kept.",
            registry=registry,
        )
        self.keys_skipped = Gauge(
            "durak_identity_keys_skipped",
            "Keys of the set read last that cannot be used; the others are.",
            registry=registry,
        )
        self.certificate_expires_at = Gauge(
            "durak_tls_certificate_expiry_timestamp_seconds",
            "When the server's certificate expires, in seconds since 1970; 0 without TLS.",
            registry=registry,
        )
