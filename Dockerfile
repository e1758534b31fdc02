# A server in a container: see docs/running-a-server.md.
#
#   docker build --tag ferrovia .
#   docker run --publish 127.0.0.1:8765:8765 --volume ferrovia:/data ferrovia
ARG PYTHON=3.13

# The package with the game for the browser. Node, which builds that, comes from the package index
# as a requirement of the build; it stays in this stage.
FROM python:${PYTHON}-slim-bookworm AS build
WORKDIR /src
COPY . .
RUN python -m venv /opt/ferrovia \
    && /opt/ferrovia/bin/pip install --no-cache-dir --constraint constraints.txt '.[postgresql,push]'

FROM python:${PYTHON}-slim-bookworm
LABEL org.opencontainers.image.title="Ferrovia" \
      org.opencontainers.image.description="Railway board games in the browser: a server" \
      org.opencontainers.image.licenses="Apache-2.0 AND BSD-2-Clause AND CC-BY-4.0 AND MIT AND OFL-1.1"
RUN useradd --uid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin ferrovia \
    && install --directory --owner=ferrovia --group=ferrovia --mode=0750 /data
COPY --from=build /opt/ferrovia /opt/ferrovia
# Games and ticket packs are kept in the volume.
ENV PATH=/opt/ferrovia/bin:$PATH \
    FERROVIA_HOST=0.0.0.0 \
    FERROVIA_DATA=/data \
    PYTHONUNBUFFERED=1
VOLUME /data
WORKDIR /data
USER 10001
EXPOSE 8765
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8765/readyz', timeout=4)"]
ENTRYPOINT ["ferrovia"]
CMD ["serve"]
