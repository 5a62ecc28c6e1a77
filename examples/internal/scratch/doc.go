// Package scratch gives examples a database file that is gone afterwards. Your
// program has a file of its own and needs none of this.
package scratch
