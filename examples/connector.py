"""An ERP connector for Ponte's feed, with Python's standard library alone (3.9 or newer).

    PONTE_URL=http://127.0.0.1:3000 PONTE_KEY=... python3 examples/connector.py erp.sqlite

It keeps every change in a SQLite file, once each, whatever happens to it or to Ponte: a change that comes again
after a crash has the id it had before. Replace `take_in` with what your ERP needs; it runs in the transaction
that remembers the id.
"""

import http.client
import json
import os
import sqlite3
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ.get("PONTE_URL", "http://127.0.0.1:3000").rstrip("/")
KEY = os.environ["PONTE_KEY"]
NAME = os.environ.get("PONTE_CURSOR", "erp")
WAIT_SECONDS = 25
LONGEST_PAUSE_SECONDS = 60
EXPIRED = (
    "This connector begins at its stored cursor: once the records are read, "
    f"DELETE {URL}/feed/cursors/{NAME}, and start it again."
)


class Refused(Exception):
    """Ponte said no, and saying it again would not help."""


def call(method, path, body=None):
    """Returns the JSON of the reply; None where there is no such thing. Waits while Ponte cannot answer."""
    pause = 0.5
    while True:
        request = urllib.request.Request(URL + path, method=method)
        request.add_header("Authorization", "Bearer " + KEY)
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, data, timeout=WAIT_SECONDS + 15) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            if error.code != 429 and error.code < 500:
                text = error.read().decode(errors="replace")
                if "cursor-expired" in text:
                    text += f"\n{EXPIRED}"
                raise Refused(f"{error.code} {text}") from error
            seconds = error.headers.get("Retry-After", "")
            pause = max(pause, float(seconds)) if seconds.isdigit() else pause
        except (OSError, ValueError, http.client.HTTPException):
            pass  # Not reached, or broken off: nothing is lost, the same is asked again.
        time.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE_SECONDS)


def take_in(store, change):
    """What the ERP does with a change, in the transaction of `store`."""
    store.execute(
        "insert into change (id, type, subject, data) values (?, ?, ?, ?)",
        (change["id"], change["type"], change["subject"], json.dumps(change["data"])),
    )


def main(path):
    store = sqlite3.connect(path)
    store.execute(
        "create table if not exists change"
        " (number integer primary key, id text unique, type text, subject text, data text)"
    )
    kept = call("GET", f"/feed/cursors/{NAME}")
    cursor = kept["cursor"] if kept else ""
    while True:
        query = urllib.parse.urlencode({"after": cursor, "wait": WAIT_SECONDS, "limit": 200})
        page = call("GET", f"/feed?{query}")
        if page is None:
            raise Refused("there is no feed at this address")
        with store:  # Committed as a whole, or not at all.
            for change in page["items"]:
                known = store.execute("select 1 from change where id = ?", (change["id"],)).fetchone()
                if not known:
                    take_in(store, change)
        if page["cursor"] != cursor:
            cursor = page["cursor"]
            call("PUT", f"/feed/cursors/{NAME}", {"cursor": cursor})


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else "erp.sqlite")
    except Refused as refusal:
        sys.exit(f"Ponte refused: {refusal}")
    except KeyboardInterrupt:
        pass
