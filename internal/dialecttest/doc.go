// Package dialecttest tests the duties of a SQL dialect that are not laws of a
// store in package storetest: migrations, names, and adopted tables of other
// programs.
package dialecttest
