package sqlstore

import "context"

// beginWith begins a transaction with the dialect's statements.
func (c *connection) beginWith(ctx context.Context, statements []string) error {
	for _, statement := range statements {
		if _, err := c.conn.ExecContext(ctx, statement); err != nil {
			c.close() // what the first ones set may be for the next transaction, which is the application's
			return err
		}
	}
	c.begun, c.inTx = true, inTx{c.conn, c.pool.ready}
	return nil
}

// sendCommit leaves no transaction open, whatever becomes of the COMMIT.
func (c *connection) sendCommit(ctx context.Context) error {
	if _, err := c.conn.ExecContext(ctx, "COMMIT"); err != nil {
		c.sendRollback(ctx)
		return err
	}
	c.begun = false
	return nil
}

// sendRollback closes a connection that does not answer, or whose call has no time
// left to wait for that: the server then rolls back by itself.
func (c *connection) sendRollback(ctx context.Context) {
	c.begun = false
	ctx, cancel := context.WithTimeout(ctx, leaveTime) // that of a migration may have no end
	defer cancel()
	if _, err := c.conn.ExecContext(ctx, "ROLLBACK"); err != nil {
		c.close()
	}
}
