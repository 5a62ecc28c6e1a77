// Package inner is what package outbox shows to package driver alone.
package inner
