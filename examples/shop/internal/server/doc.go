// Package server serves HTTP on an address, for the shop and for billing.
package server
