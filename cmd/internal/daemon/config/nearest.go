package config

import near "github.com/sendoff-go/outbox/internal/nearest"

// nearest is the name that was meant, if few letters are wrong, or "".
func nearest(name string, names []string) string {
	return near.To(name, min(len(name)/2, 3), names)
}
