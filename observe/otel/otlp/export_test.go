package otlp

import "time"

// Unhurried gives the end of providers all the time that a busy machine may need.
func Unhurried(p *Providers) *Providers {
	p.flush = 2 * time.Minute
	return p
}
