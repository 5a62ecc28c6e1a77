// Package screen draws numbers and text on terminals: what the live views of the
// commands have in common.
package screen
