// Package dialecttest says what a SQL dialect owes beside the laws of a store,
// which package storetest has: migrations, names, and tables of others.
package dialecttest
