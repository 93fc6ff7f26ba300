#!/usr/bin/env bash
# with-postgres.sh COMMAND…: runs the command with TEST_DATABASE_URL naming a PostgreSQL server that may be used: the
# one that TEST_DATABASE_URL or DATABASE_URL names already, else the one on 127.0.0.1:5432 if it lets `postgres` in
# without a password, else one that is started from the installed programs for as long as the command runs.
# Sourced, it only brings the functions.

LOCAL_POSTGRES=postgresql://postgres@127.0.0.1:5432/postgres

# locate_postgres FOLDER: leaves the address of a server that answers in FOLDER/postgres-url, or fails. One that it has
# to start lives in that folder, until `stop_postgres FOLDER`.
locate_postgres() {
  if answers "$LOCAL_POSTGRES"; then
    echo "using the server on 127.0.0.1:5432"
    echo "$LOCAL_POSTGRES" >"$1/postgres-url"
    return
  fi
  start_postgres "$1"
}

# start_postgres FOLDER [OPTION…]: starts a server from the installed programs, with options of `postgres` as given, in
# the way of `locate_postgres`; fails where none is installed.
start_postgres() {
  local folder=$1 bin port
  shift
  bin=$(postgres_bin)
  if [[ -z $bin ]]; then
    echo 'no PostgreSQL: none is installed, and none that lets postgres in was found on 127.0.0.1:5432' >&2
    return 1
  fi
  port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
  mkdir "$folder/postgres"
  if [[ $(id -u) == 0 ]]; then chown postgres "$folder/postgres"; fi
  echo "$bin" >"$folder/postgres-bin"
  as_server_user "$bin/initdb" -D "$folder/postgres/data" -U postgres -A trust -E UTF8 --locale=C >/dev/null
  as_server_user "$bin/pg_ctl" -D "$folder/postgres/data" -l "$folder/postgres/log" -w start \
    -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$folder/postgres -c max_connections=200 $*" >/dev/null
  answers "postgresql://postgres@127.0.0.1:$port/postgres"
  echo "started $("$bin/postgres" --version) on port $port"
  echo "postgresql://postgres@127.0.0.1:$port/postgres" >"$folder/postgres-url"
}

# stop_postgres FOLDER: ends what `locate_postgres` has started there.
stop_postgres() {
  if [[ -s $1/postgres-bin && -d $1/postgres/data ]]; then
    as_server_user "$(cat "$1/postgres-bin")/pg_ctl" -D "$1/postgres/data" -m immediate -w stop >/dev/null 2>&1 || true
  fi
}

# The newest installed server's programs; nothing when there is none.
postgres_bin() {
  local candidate
  candidate=$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1) || true
  if [[ -z $candidate ]] && command -v pg_ctl >/dev/null; then candidate=$(dirname "$(command -v pg_ctl)"); fi
  echo "$candidate"
}

# PostgreSQL refuses to run as root.
as_server_user() {
  if [[ $(id -u) == 0 ]]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi
}

answers() {
  node -e '
    const { Client } = require("pg");
    const client = new Client({ connectionString: process.argv[1], connectionTimeoutMillis: 3000 });
    client.connect().then(() => client.end()).then(() => process.exit(0), () => process.exit(1));' "$1"
}

run_with_postgres() {
  cd "$(dirname "${BASH_SOURCE[0]}")/.."
  if [[ -n ${TEST_DATABASE_URL:-${DATABASE_URL:-}} ]]; then
    TEST_DATABASE_URL=${TEST_DATABASE_URL:-$DATABASE_URL} "$@"
    return
  fi
  local folder
  folder=$(mktemp -d "${TMPDIR:-/tmp}/ponte-postgres.XXXXXX")
  chmod 755 "$folder" # the user that runs PostgreSQL must be able to look in
  # shellcheck disable=SC2064 # now, while the name is known
  trap "stop_postgres '$folder'; rm -rf '$folder'" EXIT
  locate_postgres "$folder" >&2
  TEST_DATABASE_URL=$(cat "$folder/postgres-url") "$@"
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
  set -euo pipefail
  run_with_postgres "$@"
fi
