// Package retry says how long a relay waits before it delivers an event again.
package retry
