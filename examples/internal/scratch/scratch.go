package scratch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// Run runs an example with the path of a file that does not exist yet, and
// prints the error that it returns, which then appears instead of the expected
// output.
func Run(example func(ctx context.Context, path string) error) {
	if err := run(example); err != nil {
		fmt.Println(err)
	}
}

func run(example func(ctx context.Context, path string) error) error {
	dir, err := os.MkdirTemp("", "outbox-example-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	return example(context.Background(), filepath.Join(dir, "shop.db"))
}
