// Package scratch gives examples a database file that is removed afterwards.
// Your program has its own file and needs none of this.
package scratch
