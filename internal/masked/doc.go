// Package masked hides the secrets in the names of destinations.
package masked
