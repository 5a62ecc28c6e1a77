// Package observe tells metrics, traces and logs what relays and consumers do.
package observe
