// Package billing is the program that writes an invoice for each order and a
// credit note for each cancelled one, in a database of its own. It knows the shop
// only by its events, which come as webhooks or from Kafka, and may come twice.
package billing
