# Two stages: the first builds, the second holds the executable, its libraries and the pages. The tags of the base images move with
# their security updates; docs/operations/install.md says how to pin digests.
FROM swift:6.3-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends libssl-dev zlib1g-dev libsqlite3-dev libpq-dev libqrencode-dev libmaxminddb-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY Package.swift ./
COPY Sources ./Sources
COPY Tests ./Tests
COPY docs ./docs
COPY Public ./Public
COPY README.md CHANGELOG.md SECURITY.md ./
RUN swift build --configuration release --product waymark --static-swift-stdlib \
    && install -D --strip "$(swift build --configuration release --show-bin-path --static-swift-stdlib)/waymark" /stage/usr/local/bin/waymark

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates libssl3 zlib1g libsqlite3-0 libpq5 libqrencode4 libmaxminddb0 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --home-dir /var/lib/waymark --create-home --shell /usr/sbin/nologin waymark
COPY --from=build /stage/ /
COPY Public /usr/share/waymark/Public
COPY LICENSE /usr/share/doc/waymark/LICENSE
ENV WAYMARK_LISTEN=0.0.0.0:8080 \
    WAYMARK_DATABASE=sqlite:/var/lib/waymark/waymark.sqlite \
    WAYMARK_PUBLIC=/usr/share/waymark/Public
# A number, so that Kubernetes can see that it is not root.
USER 10001
WORKDIR /var/lib/waymark
VOLUME /var/lib/waymark
EXPOSE 8080
# The slim image has no HTTP client; bash can open a socket by itself.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /readyz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
ENTRYPOINT ["waymark"]
CMD ["serve"]
