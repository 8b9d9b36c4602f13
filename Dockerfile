# docker build -t choros .
# docker build -t choros --build-arg FEATURES=nats .        (with `watch --stream` and `feed`)
# docker run --rm -v "$PWD:/models" choros check examples/online-shopping.schora

FROM rust:1.95-bookworm AS build
WORKDIR /choros
COPY . .
ARG FEATURES=
RUN cargo build --release --locked --package choros-cli --features "$FEATURES"

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends libz3-4 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /choros/target/release/choros /usr/local/bin/choros
WORKDIR /models
ENTRYPOINT ["choros"]
CMD ["--help"]
