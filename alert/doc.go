// Package alert tells people what is wrong with an outbox: events that wait too
// long, dead letters, destinations that are down, lanes that nobody claims, no
// relay at all.
//
// A [Watcher] applies [Rules] at an interval. An alert is raised when a rule is
// broken, repeated while it is, and resolved by itself. Its state is in the
// database, so that of several processes with a watcher one tells people, and a
// restart tells nobody twice. People can mute an alert.
//
//	w, err := alert.New(alert.Config{Store: store})
//	...
//	go w.Run(ctx)
//
// writes alerts to the log; more ways are [Config.Notifiers]. A notification is
// sent at least once: with the same [Notification.ID] if it is sent again.
package alert
