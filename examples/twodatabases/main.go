// Command twodatabases is one process with two databases, a shop's and a
// warehouse's, each with its own store, writer and relay. No transaction spans
// both: the shop commits an order with its event, the shop's relay delivers the
// event to the warehouse, which commits a reservation with an event of its own,
// and the warehouse's relay delivers that one to the shop.
//
//	go run ./examples/twodatabases
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
)

func main() {
	orders := flag.Int("orders", 5, "how many orders to place")
	postgres := flag.String("postgres", "", "`URLs` of two PostgreSQL databases, separated by a comma (default two SQLite files, which are removed at the end)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := start(ctx, *postgres, *orders); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func start(ctx context.Context, postgres string, orders int) (err error) {
	if postgres != "" {
		urls := strings.Split(postgres, ",")
		if len(urls) != 2 {
			return errors.New("-postgres takes two URLs, separated by a comma")
		}
		return run(ctx, os.Stdout, urls[0], urls[1], orders)
	}
	dir, err := os.MkdirTemp("", "outbox-twodatabases-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	return run(ctx, os.Stdout, filepath.Join(dir, "shop.db"), filepath.Join(dir, "warehouse.db"), orders)
}
