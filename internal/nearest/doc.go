// Package nearest finds the name that somebody meant who misspelt it.
//
//	nearest.To("orderplaced", 2, []string{"OrderPlaced", "OrderPaid"}) // "OrderPlaced"
package nearest
