// Package archtest keeps the shape of the project as tests: who may import
// whom, how long a file may be, and that every package says what it is for.
package archtest
