// Package pace does things at a steady rate, however long each of them takes.
package pace
