package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/cmd/internal/daemon"
	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
)

const (
	// configVariable is the environment's twin of --config.
	configVariable = "OUTBOX_CONFIG"
	// defaultConfig is read if nothing else is named and it exists.
	defaultConfig = "outbox.yaml"
)

func (a *app) config() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Check, print and describe the configuration of the daemon",
		Long: `Works with the configuration of "outbox relay". Every command reads the file and
the environment as the daemon does. None of them starts it.`,
		Example: `  outbox config check outbox.yaml
  outbox config print outbox.yaml
  outbox config schema > outbox.schema.json
  outbox config example > outbox.yaml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.configCheck(), a.configPrint(), a.configSchema(), a.configExample())
	return cmd
}

func (a *app) configCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check [FILE]",
		Short: "Report every problem of a configuration",
		Long: `Reads a file and the environment and reports every problem with its line, its
column and how to fix it; the exit code is then 2. Settings that are accepted but
ignored are printed as notes. It finds all that "outbox relay" would refuse before
it connects to a database or a broker, and needs neither.`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: files,
		RunE: func(_ *cobra.Command, args []string) error {
			file := configFile(args)
			c, notes, err := a.loadConfig(file)
			if err != nil {
				return err
			}
			if err := daemon.Check(c, drivers); err != nil {
				return a.problems(file, err)
			}
			for _, n := range notes {
				fmt.Fprintln(a.stdout, "note: "+n)
			}
			fmt.Fprintf(a.stdout, "%s is valid\n", called(file))
			return nil
		},
	}
}

func (a *app) configPrint() *cobra.Command {
	return &cobra.Command{
		Use:   "print [FILE]",
		Short: "Print the effective configuration, with secrets masked",
		Long: `Prints the value of every key after defaults, file and environment, as YAML that
"outbox relay" can read. Passwords and other secrets, also in URLs, become *****.`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: files,
		RunE: func(_ *cobra.Command, args []string) error {
			c, _, err := a.loadConfig(configFile(args))
			if err != nil {
				return err
			}
			_, err = a.stdout.Write(c.Print())
			return err
		},
	}
}

func (a *app) configSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the configuration, for editors",
		Long: `Prints the JSON Schema of the configuration file. An editor with a YAML language
server uses it after this line at the top of the file:

  # yaml-language-server: $schema=outbox.schema.json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := a.stdout.Write(config.Schema())
			return err
		},
	}
}

func (a *app) configExample() *cobra.Command {
	return &cobra.Command{
		Use:   "example",
		Short: "Print a configuration with every key, its default and a comment",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := a.stdout.Write(config.Example())
			return err
		},
	}
}

// configFile is the file that was named, the one of the environment, or
// outbox.yaml if there is one. "" is none: the environment alone.
func configFile(args []string) string {
	if len(args) > 0 && args[0] != "" {
		return args[0]
	}
	if file := os.Getenv(configVariable); file != "" {
		return file
	}
	if _, err := os.Stat(defaultConfig); !errors.Is(err, fs.ErrNotExist) {
		return defaultConfig
	}
	return ""
}

func called(file string) string {
	if file == "" {
		return "the environment"
	}
	return file
}

// loadConfig reads a configuration.
func (a *app) loadConfig(file string) (*config.Config, []string, error) {
	c, notes, err := config.Load(file, os.Environ())
	if err != nil {
		return nil, nil, a.problems(file, err)
	}
	return c, notes, nil
}

// problems tells line by line what is wrong with a configuration, and returns
// how much that is.
func (a *app) problems(file string, err error) error {
	var ps config.Problems
	if !errors.As(err, &ps) {
		return usagef("%v", err)
	}
	for _, p := range ps {
		fmt.Fprintln(a.stderr, p.Error())
	}
	if len(ps) == 1 {
		return usagef("%s: 1 error", called(file))
	}
	return usagef("%s: %d errors", called(file), len(ps))
}
