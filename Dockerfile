# The server, and nothing that is not needed to run it. These arguments matter:
#   BASE            an image with Python 3.11 or newer, and pip, as `python3`
#   EXTRAS=tracing  what sends spans is installed as well
#   PIP_NO_INDEX=1, PIP_FIND_LINKS=/source/wheels
#                   build without a package index, from the folder `wheels` of the build context
ARG BASE=docker.io/library/python:3.11.13-slim-bookworm

FROM ${BASE} AS build
ARG PIP_NO_INDEX
ARG PIP_FIND_LINKS
ARG EXTRAS
ENV UV_PYTHON_DOWNLOADS=never PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /source
COPY . .
RUN python3 -m pip install --root-user-action ignore --target /uv uv==0.13.9
# Exactly the versions of uv.lock, by hash; then our own code on top. Sources that come with
# libraries (protos, type stubs) are of no use at run time.
RUN /uv/bin/uv export --frozen --quiet --package durak-server --no-dev --no-emit-project \
        ${EXTRAS:+--extra "${EXTRAS}"} \
        --output-file /locked.txt \
    && /uv/bin/uv venv --python python3 /opt/durak \
    && python3 -m pip --python /opt/durak install --require-hashes --requirement /locked.txt \
    && python3 -m pip --python /opt/durak install --no-deps . \
    && find /opt/durak \( -name '*.proto' -o -name '*.pyi' \) -delete \
    && python3 -m compileall -q /opt/durak \
    && /uv/bin/uv export --frozen --quiet --package durak-server --no-dev --format cyclonedx1.5 \
        ${EXTRAS:+--extra "${EXTRAS}"} --output-file /opt/durak/sbom.cdx.json

FROM ${BASE}
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="durak-server" \
      org.opencontainers.image.description="Hosts matches of durak, the Russian card game, over gRPC" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --from=build /opt/durak /opt/durak
RUN install --directory --owner 10001 --group 10001 --mode 0700 /data
ENV PATH=/opt/durak/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    DURAK_DATA=/data \
    DURAK_LISTEN=0.0.0.0:50051 \
    DURAK_METRICS_LISTEN=0.0.0.0:9090
# The root file system may be read-only: only this folder, and /tmp, are written.
VOLUME /data
WORKDIR /data
USER 10001:10001
EXPOSE 50051 9090
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:9090/readyz', timeout=2)"]
ENTRYPOINT ["durak-server"]
CMD ["serve"]
