// Package nearest finds the name that was meant by a misspelled one.
//
//	nearest.To("orderplaced", 2, []string{"OrderPlaced", "OrderPaid"}) // "OrderPlaced"
package nearest
