// Command benchchart draws docs/benchmarks.svg from the figures that
// docs/benchmarks-notes.md records. Run it in the root of the repository after
// `make bench` has written new ones:
//
//	go run ./internal/tools/benchchart
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

const (
	notes = "docs/benchmarks-notes.md"
	chart = "docs/benchmarks.svg"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "benchchart:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	text, err := draw(root)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, chart), text, 0o644)
}

// draw returns the chart of the recorded figures.
func draw(root string) ([]byte, error) {
	page, err := os.ReadFile(filepath.Join(root, notes))
	if err != nil {
		return nil, err
	}
	rates, err := readRates(string(page))
	if err != nil {
		return nil, err
	}
	return svg(groups, rates)
}
