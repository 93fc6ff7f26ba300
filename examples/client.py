"""A small client of the finance interface, with Python's standard library alone (3.9 or newer).

    PONTE_URL=http://127.0.0.1:3000 PONTE_KEY=... python3 examples/client.py \
        "Padaria Pao Quente" 12.ABC.345/01DE-35 order-1042 300.00 2026-12-10

It does what a shop's own program does: lists the accounts, finds the customer by document or registers one, writes
what they owe in three monthly instalments, receives the first of them today, and lists what is still open. It can be
run again with the same reference on the same day: each writing request carries an Idempotency-Key.
"""

import datetime
import json
import os
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ.get("PONTE_URL", "http://127.0.0.1:3000").rstrip("/")
KEY = os.environ["PONTE_KEY"]
INSTALMENTS = 3


class Refused(Exception):
    """A problem document: its status, and its members in `problem`."""

    def __init__(self, status, problem):
        super().__init__(f"{status} {problem.get('detail', '')}")
        self.status = status
        self.problem = problem


def call(method, address, body=None, key=None):
    """Returns the JSON of the reply; None where it has none. Raises Refused."""
    request = urllib.request.Request(address if address.startswith("http") else URL + address, method=method)
    request.add_header("ApiToken", KEY)
    request.add_header("Accept", "application/json")
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    if key is not None:
        request.add_header("Idempotency-Key", key)
    try:
        with urllib.request.urlopen(request, data, timeout=30) as reply:
            text = reply.read()
            return json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        try:
            problem = json.load(error)
        except ValueError:
            problem = {}
        raise Refused(error.code, problem) from error


def listed(path, **options):
    """Every record of a list, page by page."""
    query = urllib.parse.urlencode({f"${name}": value for name, value in options.items()})
    address = f"{path}?{query}" if query else path
    while address is not None:
        page = call("GET", address)
        yield from page["items"]
        address = page["nextPageLink"]


def customer_of(name, document):
    """The customer with the document; a new one where there is none, or where customers cannot be listed."""
    bare = "".join(sign for sign in document if sign.isalnum()).upper()
    try:
        for customer in listed("/v1/customers", filter=f"document/number eq '{bare}'"):
            return customer["id"]
    except Refused as refused:
        if refused.status != 501:
            raise
    try:
        return call("POST", "/v1/customers", {"name": name, "document": {"number": document}})
    except Refused as refused:
        if refused.problem.get("error") != "customer-exists":
            raise
        return refused.problem["customerId"]


def month_after(day, months):
    """The same day some months later; the last of the month where it has no such day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    first_of_next = datetime.date(year + (month + 1) // 12, (month + 1) % 12 + 1, 1)
    last = (first_of_next - datetime.timedelta(days=1)).day
    return datetime.date(year, month + 1, min(day.day, last))


def cents_of(value):
    """Whole cents. For an organization whose currency has no cents, or thousandths, reckon with its decimals instead."""
    if not re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,2})?", value):
        sys.exit(f"the value {value} is no amount with at most two decimals, such as 300.00")
    units, _, decimals = value.partition(".")
    return int(units) * 100 + int(decimals.ljust(2, "0"))


def instalments_of(cents, first_due):
    """Amounts that add up to the whole to the cent: what is left over comes with the first ones."""
    share, rest = divmod(cents, INSTALMENTS)
    return [
        {"value": (share + (index < rest)) / 100, "dueDate": month_after(first_due, index).isoformat()}
        for index in range(INSTALMENTS)
    ]


def main(name, document, reference, value, first_due):
    cents = cents_of(value)
    due = datetime.date.fromisoformat(first_due)
    today = datetime.date.today().isoformat()
    accounts = list(listed("/v1/accounts", orderby="name"))
    customer = customer_of(name, document)
    parts = instalments_of(cents, due)
    schedule = call(
        "POST",
        "/v1/schedules/credit/FormatType=json",
        {
            "stakeholderId": customer,
            "description": reference,
            "reference": reference,
            "value": cents / 100,
            "dueDate": first_due,
            "instalment": parts,
        },
        key=f"{reference}/schedule",
    )
    call(
        "POST",
        f"/v1/schedules/credit/{schedule}/receipts",
        {"accountId": accounts[0]["id"], "date": today, "value": parts[0]["value"], "identifier": reference},
        key=f"{reference}/receipt-1",
    )
    wanted = urllib.parse.urlencode({"$filter": "openValue gt 0", "$orderby": "dueDate"})
    still_open = call("GET", f"/v1/customers/{customer}/schedules?{wanted}")
    json.dump(
        {
            "accounts": [account["name"] for account in accounts],
            "customer": customer,
            "schedule": schedule,
            "open": [
                {"description": item["description"], "dueDate": item["dueDate"][:10], "openValue": item["openValue"]}
                for item in still_open
            ],
        },
        sys.stdout,
        ensure_ascii=False,
        indent=2,
    )
    print()


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except Refused as refused:
        sys.exit(f"Ponte refused: {refused}")
