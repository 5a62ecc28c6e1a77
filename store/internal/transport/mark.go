package transport

// NotBegun marks an error before which nothing was sent that changes a row.
type NotBegun struct{ Err error }

func (e NotBegun) Error() string { return e.Err.Error() }
func (e NotBegun) Unwrap() error { return e.Err }

// Ours marks an error that a store found itself, as in an answer that it cannot
// read. It says nothing of the connection.
type Ours struct{ Err error }

func (e Ours) Error() string { return e.Err.Error() }
func (e Ours) Unwrap() error { return e.Err }
