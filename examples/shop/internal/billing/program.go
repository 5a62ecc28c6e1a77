package billing

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/sendoff-go/outbox/examples/shop/internal/place"
	"github.com/sendoff-go/outbox/examples/shop/internal/server"
)

// settings is the command line.
type settings struct {
	database            string
	listen              string
	kafka, topic, group string
	trouble             Trouble
	untilEOF            bool
	log                 *slog.Logger
}

// Main runs the program with a command line, and returns its exit code. It
// reports its figures on standard output, in lines of JSON.
func Main(arguments []string) int {
	s := parse(arguments)
	ctx, stop := s.lifetime()
	defer stop()
	if err := s.run(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "billing:", err)
		return 1
	}
	return 0
}

// parse ends the program if the command line is wrong.
func parse(arguments []string) *settings {
	s := &settings{}
	flags := flag.NewFlagSet("billing", flag.ExitOnError)
	flags.StringVar(&s.database, "database", "", "`file` of SQLite, made if it is not there, or the URL of a PostgreSQL database (required)")
	flags.StringVar(&s.listen, "listen", "127.0.0.1:8081", "`address` for webhooks, which come to /events; port 0: any that is free")
	flags.StringVar(&s.kafka, "kafka", "", "`brokers` of a Kafka cluster to consume from, as host:port,host:port (default webhooks)")
	flags.StringVar(&s.topic, "topic", "orders", "`topic` of Kafka")
	flags.StringVar(&s.group, "group", "billing", "consumer `group` of Kafka")
	flags.IntVar(&s.trouble.Rollback, "rollback", 0, "roll back one delivery in `n` (default none)")
	flags.IntVar(&s.trouble.LostAnswer, "lose-answer", 0, "commit one delivery in `n` and say that it failed (default none)")
	flags.IntVar(&s.trouble.Away, "away", 0, "refuse one delivery in `n`, as in an outage (default none)")
	flags.BoolVar(&s.untilEOF, "until-eof", false, "end when standard input does, and not by Ctrl-C")
	verbose := flags.Bool("v", false, "show the log")
	_ = flags.Parse(arguments) // exits on an error
	if s.database == "" || flags.NArg() > 0 {
		flags.Usage()
		os.Exit(2)
	}
	var log io.Writer = io.Discard
	if *verbose {
		log = os.Stderr
	}
	s.log = slog.New(slog.NewTextHandler(log, nil))
	return s
}

// lifetime returns a context that is done when billing has to end. A shop that
// started it decides by standard input: Ctrl-C goes to both programs, and the
// last events come after it. Standard input also ends if the shop is killed.
func (s *settings) lifetime() (context.Context, context.CancelFunc) {
	if !s.untilEOF {
		return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	}
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // an error is an end as well
		stop()
	}()
	return ctx, stop
}

// run consumes until ctx is done.
func (s *settings) run(ctx context.Context, out io.Writer) (err error) {
	db, err := place.Open(s.database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	r := &reporter{trouble: &s.trouble}
	b, err := New(ctx, Config{Database: db, Trouble: &s.trouble, Hooks: r.hooks(), Logger: s.log})
	if err != nil {
		return err
	}
	if s.kafka != "" {
		defer r.run(out)()
		return b.Kafka(ctx, strings.Split(strings.TrimPrefix(s.kafka, "kafka://"), ","), s.topic, s.group, s.log)
	}
	web, err := server.Start(s.listen, b.Webhook())
	if err != nil {
		return err
	}
	r.webhook = web.URL + "/events"
	defer r.run(out)()
	<-ctx.Done()
	return web.Close()
}
