// Package traffic plays the shop's customers: they place orders, cancel some, and
// now and then have a card that is declined.
package traffic
