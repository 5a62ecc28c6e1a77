package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sendoff-go/outbox/cmd/internal/apiclient"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
)

// The environment's twins of --api, --token and --api-ca.
const (
	apiVariable      = "OUTBOX_API_URL"
	apiTokenVariable = "OUTBOX_API_TOKEN" //nolint:gosec // a name
	apiCAVariable    = "OUTBOX_API_CA"
)

// apiFlags are the flags of commands that also work through the API.
var apiFlags = []string{"api", "token", "token-file", "api-ca"}

// operatorFlags name an outbox by its database or by its API.
type operatorFlags struct {
	outboxFlags
	api, ca          string
	token, tokenFile string
	flags            *pflag.FlagSet
}

func (f *operatorFlags) add(cmd *cobra.Command) {
	f.outboxFlags.add(cmd)
	f.flags = cmd.Flags()
	f.flags.StringVar(&f.api, "api", "", "instead of --database: `URL` of a daemon's REST API, https://host:port or https://user:password@host:port; also "+apiVariable)
	f.flags.StringVar(&f.token, "token", "", "`token` for the API; other users of this machine may see it here: prefer "+apiTokenVariable+" or --token-file")
	f.flags.StringVar(&f.tokenFile, "token-file", "", "`file` with the token for the API")
	f.flags.StringVar(&f.ca, "api-ca", "", "`file` with PEM certificates to trust besides the system's; also "+apiCAVariable)
	completeFlag(cmd, "token-file", files)
	completeFlag(cmd, "api-ca", files)
}

// with opens the outbox and closes it after do.
func (f *operatorFlags) with(ctx context.Context, do func(ctx context.Context, db operator) error) (err error) {
	if f.flags != nil {
		if err := checkText(f.flags); err != nil {
			return err
		}
	}
	db, err := f.reach(ctx, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return do(ctx, db)
}

// reach opens the outbox that the flags name, or the environment if they do not.
func (f *operatorFlags) reach(ctx context.Context, within time.Duration) (operator, error) {
	api, err := f.chooseAPI()
	switch {
	case err != nil:
		return nil, err
	case api != "":
		c, err := f.client(api)
		if err != nil {
			return nil, err
		}
		return c, nil
	}
	db, err := f.open(ctx, dburl.Options{Tables: f.tables, ConnectTimeout: within})
	if err != nil {
		return nil, err
	}
	return direct{db}, nil
}

// chooseAPI returns the URL of the API, or "" to use the database. Flags take
// precedence over the environment.
func (f *operatorFlags) chooseAPI() (string, error) {
	env, database := os.Getenv(apiVariable), os.Getenv(databaseVariable)
	switch {
	case f.api != "" && f.url != "":
		return "", usagef("--api and --database are both given: pass one of them")
	case f.api != "":
		return f.api, f.checkAPI("--api")
	case f.url != "":
		return "", f.checkDirect("--database")
	case env != "" && database != "":
		return "", usagef("%s and %s are both set: unset one of them, or pass --api or --database", apiVariable, databaseVariable)
	case env != "":
		return env, f.checkAPI(apiVariable)
	case database != "":
		return "", f.checkDirect(databaseVariable)
	}
	return "", usagef("no outbox given: pass --database URL or set %s, for example %s; or pass --api URL or set %s", databaseVariable, exampleURLs(), apiVariable)
}

// checkAPI refuses flags that mean nothing to the API.
func (f *operatorFlags) checkAPI(given string) (err error) {
	f.flags.Visit(func(one *pflag.Flag) {
		_, filter := isFilter(f.flags, one.Name)
		switch {
		case one.Name == "by" && !filter:
			err = usagef("--by does not go with %s: the server knows you by your token or user", given)
		case one.Name == "driver", one.Name == "schema", strings.HasPrefix(one.Name, "table-"):
			err = usagef("--%s does not go with %s: the server knows its database", one.Name, given)
		}
	})
	return err
}

// checkDirect refuses flags that mean nothing to a database.
func (f *operatorFlags) checkDirect(given string) (err error) {
	if f.flags == nil {
		return nil
	}
	for _, name := range apiFlags {
		if f.flags.Changed(name) {
			err = usagef("--%s goes with --api, not with %s", name, given)
		}
	}
	return err
}

func (f *operatorFlags) client(address string) (*apiclient.Remote, error) {
	o := apiclient.Options{URL: address, Token: f.token, CA: cmp.Or(f.ca, os.Getenv(apiCAVariable))}
	switch {
	case f.token != "" && f.tokenFile != "":
		return nil, usagef("--token and --token-file are both given: pass one of them")
	case f.tokenFile != "":
		text, err := os.ReadFile(f.tokenFile)
		if err != nil {
			return nil, usagef("read the token: %v: correct the path, or grant this user permission to read it", err)
		}
		if o.Token = strings.TrimSpace(string(text)); o.Token == "" {
			return nil, usagef("%s has no token: write it into the file", f.tokenFile)
		}
	case f.token == "" && !strings.Contains(address, "@"):
		o.Token = strings.TrimSpace(os.Getenv(apiTokenVariable))
	}
	return apiclient.New(o)
}
