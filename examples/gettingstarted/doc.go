// Package gettingstarted is the code of docs/getting-started.md: its snippets are
// lines of the example, and a test runs it.
package gettingstarted
