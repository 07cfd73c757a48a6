# An image of the server: docker build -t skerry . && docker run --init -p 8000:8000 -v skerry:/data skerry
# docs/hosting.md says how to run it; compose.yaml runs several processes behind a proxy.

FROM python:3.13-slim-trixie AS base
# The image contains the compiled rules and bots, so that a container is warm from the start. They are compiled for any
# processor of the architecture, at build and at run alike; code for the very processor of a machine is not faster.
ENV NUMBA_CPU_NAME=generic NUMBA_CPU_FEATURES="" SKERRY_CACHE=/opt/skerry/cache
ENV PATH=/opt/skerry/bin:${PATH}

FROM base AS build
WORKDIR /build
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN python -m venv /opt/build && /opt/build/bin/pip wheel --no-cache-dir --no-deps --wheel-dir /build/dist .
RUN python -m venv /opt/skerry && /opt/skerry/bin/pip install --no-cache-dir "$(echo /build/dist/skerry-*.whl)[hosted]"
RUN /opt/skerry/bin/python -m skerry.cli.warm_up

FROM base
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin skerry \
    && install --directory --owner skerry --mode 0700 /data
COPY --from=build /opt/skerry /opt/skerry
ENV SKERRY_DATA=/data PYTHONUNBUFFERED=1
VOLUME /data
USER skerry
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD python -c "import http.client; \
    connection = http.client.HTTPConnection('127.0.0.1', 8000, timeout=4); \
    connection.request('GET', '/healthz'); \
    raise SystemExit(connection.getresponse().status != 200)"
ENTRYPOINT ["skerry"]
CMD ["serve", "--host", "0.0.0.0"]
