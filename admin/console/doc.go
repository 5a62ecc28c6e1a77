// Package console is the web interface of an outbox: what waits, what failed and
// why, and the buttons to put it right. It is one [http.Handler], for any path:
//
//	c, err := console.New(console.Config{API: admin.Config{Store: store, Auth: auth}})
//	go c.Run(ctx)
//	mux.Handle("/console/", http.StripPrefix("/console", c))
//
// Everything that it shows and changes goes through the handlers of package
// admin, in the name of the person who is signed in: roles, masks, bounds and the
// audit log are those of the API. It loads nothing from elsewhere, its pages run
// no script but its own, and they can be read without any.
package console
