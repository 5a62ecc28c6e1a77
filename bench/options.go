package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"time"
)

// serverVariable names the server that scripts/with-servers started.
const serverVariable = "OUTBOX_TEST_POSTGRES15"

// options are the flags.
type options struct {
	database   string
	only       *regexp.Regexp
	runs       int
	scale      float64
	limit      time.Duration
	list       bool
	json       string
	resume     bool
	markdown   string
	cpuProfile string
	memProfile string
}

func parseOptions(args []string) (*options, error) {
	o := &options{}
	set := flag.NewFlagSet("bench", flag.ContinueOnError)
	set.StringVar(&o.database, "database", os.Getenv(serverVariable), "URL of a PostgreSQL server; the benchmark creates and drops a database there. Default: $"+serverVariable)
	only := set.String("only", "", "run only scenarios, or scenario/variant, that match this regular expression")
	set.IntVar(&o.runs, "runs", 5, "runs of each variant")
	set.Float64Var(&o.scale, "scale", 1, "factor for the number of events and the time: 0.1 for a quick try, whose figures mean little")
	set.DurationVar(&o.limit, "limit", 10*time.Minute, "the longest that one run may take")
	set.BoolVar(&o.list, "list", false, "list the scenarios and their variants")
	set.StringVar(&o.json, "o", "", "write everything that was measured as JSON to this file, after each scenario")
	set.BoolVar(&o.resume, "resume", false, "go on with the file of -o: scenarios that it has are not run again")
	set.StringVar(&o.markdown, "markdown", "", "put the tables between the markers of this file, or print them for -")
	set.StringVar(&o.cpuProfile, "cpuprofile", "", "write a CPU profile of the process to this file")
	set.StringVar(&o.memProfile, "memprofile", "", "write a profile of allocations to this file")
	if err := set.Parse(args); err != nil {
		return nil, err
	}
	var err error
	if o.only, err = regexp.Compile(*only); err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	switch {
	case set.NArg() > 0:
		return nil, fmt.Errorf("unexpected argument %q", set.Arg(0))
	case o.runs < 1:
		return nil, errors.New("-runs must be at least 1")
	case o.resume && o.json == "":
		return nil, errors.New("-resume needs the file of -o")
	case o.scale <= 0:
		return nil, errors.New("-scale must be positive")
	case o.database == "" && !o.list:
		return nil, errors.New("no server: set " + serverVariable + " or -database, or run make bench")
	}
	return o, nil
}
