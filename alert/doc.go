// Package alert tells people what is wrong with an outbox: events that wait too
// long, dead letters, destinations that are down, event types that nobody
// claims, no relay at all.
//
// A [Watcher] applies [Rules] at an interval. An alert is raised when a rule is
// broken, repeated while it is, and resolved by itself. Its state is in the
// database, so that only one of several processes with a watcher tells people,
// and a restart repeats nothing. People can mute an alert.
//
//	w, err := alert.New(alert.Config{Store: store})
//	...
//	go w.Run(ctx)
//
// writes alerts to the log; [Config.Notifiers] adds other ways. A notification
// is sent at least once; sent again, it has the same [Notification.ID].
package alert
