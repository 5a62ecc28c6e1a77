// Package dburl opens a database by its URL, for commands that do not know
// which database they will be given.
//
// A [Driver] is one way to open the databases of a URL scheme; a program lists
// those it has, and [Open] finds the right one:
//
//	h, err := dburl.Open(ctx, drivers, "sqlite://shop.db", dburl.Options{Create: true})
//	if err != nil { ... } // a *Problem: what is wrong, and what to do
//	defer h.Close()
//
// A [Handle] hides the type of the driver's transactions, so that one command
// can write business rows and events on all of them.
package dburl
