// Package inner is what package outbox shows only to package driver.
package inner
