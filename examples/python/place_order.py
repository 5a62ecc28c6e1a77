"""Places two orders. An order and its event are committed together, or neither is."""

import json
import os

import psycopg


class Declined(Exception):
    pass


def place_order(db, order, total):
    with db.transaction():
        db.execute("INSERT INTO orders (id, total) VALUES (%s, %s)", (order, total))
        db.execute(
            "INSERT INTO outbox_event (event_type, aggregate_type, aggregate_id, payload, headers)"
            " VALUES (%s, %s, %s, %s, %s)",
            ("OrderPlaced", "Order", order, json.dumps({"id": order, "total": total}), '{"source": "python"}'),
        )
        if total > 1000:
            raise Declined("card declined")  # rolls both rows back
    # Optional: makes the daemon deliver now, not at its next poll. Send it after the commit.
    db.execute("""SELECT pg_notify('public.outbox_event', '["OrderPlaced"]')""")


with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as db:
    db.execute("CREATE TABLE IF NOT EXISTS orders (id text PRIMARY KEY, total integer NOT NULL)")
    for order, total in (("4712", 5000), ("4711", 12)):
        try:
            place_order(db, order, total)
            print(f"order {order}: placed")
        except Declined as reason:
            print(f"order {order}: {reason}, so neither the order nor its event exists")
