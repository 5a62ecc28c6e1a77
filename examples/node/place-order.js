// Places two orders. An order and its event are committed together, or neither is.
const { Client } = require('pg');

async function placeOrder(db, order, total) {
  await db.query('BEGIN');
  try {
    await db.query('INSERT INTO orders (id, total) VALUES ($1, $2)', [order, total]);
    await db.query(
      `INSERT INTO outbox_event (event_type, aggregate_type, aggregate_id, payload, headers)
       VALUES ($1, $2, $3, $4, $5)`,
      ['OrderPlaced', 'Order', order, JSON.stringify({ id: order, total }), '{"source": "node"}'],
    );
    if (total > 1000) throw new Error('card declined');
    await db.query('COMMIT');
  } catch (err) {
    await db.query('ROLLBACK'); // both rows
    throw err;
  }
  // Optional: makes the daemon deliver now, not at its next poll. Send it after the commit.
  await db.query(`SELECT pg_notify('public.outbox_event', '["OrderPlaced"]')`);
}

async function main() {
  const db = new Client({ connectionString: process.env.DATABASE_URL });
  await db.connect();
  try {
    await db.query('CREATE TABLE IF NOT EXISTS orders (id text PRIMARY KEY, total integer NOT NULL)');
    for (const [order, total] of [['4712', 5000], ['4711', 12]]) {
      try {
        await placeOrder(db, order, total);
        console.log(`order ${order}: placed`);
      } catch (err) {
        if (err.message !== 'card declined') throw err;
        console.log(`order ${order}: ${err.message}, so neither the order nor its event exists`);
      }
    }
  } finally {
    await db.end();
  }
}

main().catch((err) => {
  console.error(err);
  process.exitCode = 1;
});
