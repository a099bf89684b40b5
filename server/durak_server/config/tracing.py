"""Where spans are sent."""

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings


class TracingSettings(BaseSettings):
    """Tracing, which is off unless there is a receiver."""

    tracing_endpoint: str = Field(
        "",
        description="Where spans are sent by OTLP over HTTP, such as"
        " http://collector:4318/v1/traces. Empty: nowhere. Needs durak-server[tracing].",
    )
    tracing_share: float = Field(
        1.0,
        ge=0,
        le=1,
        description="The share of calls to trace, of those whose caller did not decide.",
    )

    @field_validator("tracing_endpoint")
    @classmethod
    def _is_a_url(cls, value: str) -> str:
        if value and not value.startswith(("http://", "https://")):
            raise ValueError(f"must begin with http:// or https://, not {value!r}")
        return value
