// Command shop is a whole system under traffic: a REST service that places and
// cancels orders and has a relay inside, billing, a second program that writes
// invoices in a database of its own, and customers, with failures on the way. It shows what
// happens, and at the end it proves from both databases that every order has
// exactly one invoice.
//
//	go run ./examples/shop
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/sendoff-go/outbox/examples/shop/internal/billing"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == asBilling {
		os.Exit(billing.Main(os.Args[2:]))
	}
	var c config
	flag.StringVar(&c.addr, "addr", "127.0.0.1:0", "`address` of the shop; port 0: any that is free")
	flag.Float64Var(&c.rate, "rate", 20, "`orders` per second")
	flag.IntVar(&c.orders, "orders", 0, "how many orders to place (default until Ctrl-C)")
	flag.DurationVar(&c.time, "for", 0, "how long to place orders, for example 30s (default until Ctrl-C)")
	flag.StringVar(&c.postgres, "postgres", "", "`URL` of a PostgreSQL server, where two databases are created for the run and dropped at the end (default two SQLite files)")
	kafka := flag.String("kafka", "", "`brokers` of a Kafka cluster, as host:port,host:port, where a topic is created for the run and deleted at the end (default webhooks)")
	flag.BoolVar(&c.verbose, "v", false, "show the log of both programs")
	flag.Parse()
	if c.rate <= 0 || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if *kafka != "" {
		c.kafka = strings.Split(strings.TrimPrefix(*kafka, "kafka://"), ",")
	}
	var log io.Writer = io.Discard
	if c.verbose {
		log = os.Stderr
	}
	c.log = slog.New(slog.NewTextHandler(log, nil))
	info, err := os.Stdout.Stat()
	c.redraw = err == nil && info.Mode()&os.ModeCharDevice != 0 && !c.verbose
	c.every = time.Second

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends it at once
	if err := run(ctx, c, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
