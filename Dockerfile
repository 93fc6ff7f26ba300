# The service alone: no development packages, no sources, no Prisma CLI, nobody's root.
FROM node:24-bookworm-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

# Compiles; needs the development packages.
FROM manifests AS build
RUN npm ci
COPY .swcrc prisma.config.ts ./
COPY prisma prisma
COPY scripts scripts
COPY src src
COPY console console
RUN npm run build \
  && find dist -name '*.map' -delete

# What runs. `optional` goes too: it is how npm marks the Prisma CLI and TypeScript, which are optional peers of
# packages the service does use.
FROM manifests AS dependencies
# Prisma's compilers (the build brings the one that is used), other people's tests, and what only editors and debuggers
# read are more than half of it.
RUN npm ci --omit=dev --omit=optional \
  && find node_modules/@prisma/client/runtime -name 'query_compiler_*' \
    ! -name 'query_compiler_small_bg.postgresql.js' -delete \
  && find node_modules -type d -name test -prune -exec rm -r {} + \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

# Node alone: no npm, no yarn, no headers.
FROM debian:bookworm-slim AS runtime
COPY --from=manifests /usr/local/bin/node /usr/local/bin/node
RUN groupadd --gid 10001 ponte \
  && useradd --uid 10001 --gid ponte --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin ponte \
  && install --directory --owner=ponte --group=ponte --mode=0700 /data
WORKDIR /app
COPY package.json ./
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist/src dist/src
COPY --from=build /app/dist/console dist/console
# What operators run beside the service: docker compose exec ponte node dist/scripts/config-check.js
COPY --from=build /app/dist/scripts/config-check.js /app/dist/scripts/ledger-verify.js dist/scripts/
COPY prisma/migrations prisma/migrations
COPY config config

ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=3000 \
  DATA_DIR=/data \
  CONFIG_DIR=/app/config \
  LOG_FORMAT=json
USER 10001:10001
VOLUME /data
EXPOSE 3000
# Give it 50 s before it is killed: a grace of 5 s, up to 30 s for what is in flight, up to 10 s to close.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/live').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
# The young generation of the heap, in MiB: 16, the usual size, is filled at start and then kept for good.
CMD ["node", "--max-semi-space-size=16", "dist/src/main.js"]
