// Command noskip reads the output of go test -json on standard input, prints
// what a person wants to see, and ends with one line that says how many tests
// passed, failed and were skipped:
//
//	go test -json ./... | noskip -require
//
// It exits with 1 if a test failed, if a package did not build or did not
// finish, if no test ran at all, and, with -require, if a test was skipped.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	require := flag.Bool("require", false, "a skipped test is a failure")
	leftOut := flag.String("left-out", "", "`servers` that could not be had, separated by spaces: with -require, tests skipped for the lack of one of them are not failures")
	flag.Parse()
	ok, err := run(os.Stdin, os.Stdout, *require, strings.Fields(*leftOut))
	if err != nil {
		fmt.Fprintln(os.Stderr, "noskip:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// run reports whether everything passed.
func run(in io.Reader, out io.Writer, require bool, leftOut []string) (ok bool, err error) {
	t := newTally(out)
	if err := decode(in, out, t.add); err != nil {
		return false, err
	}
	t.end()
	return report(out, t, require, leftOut), nil
}
