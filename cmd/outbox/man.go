package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) man() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man [COMMAND...]",
		Short: "Print the manual page of a command, or write all of them",
		Long: `Prints a manual page in roff, that of outbox itself if no command is named. With
--dir it writes the page of every command to that folder, for packages.`,
		Example: `  outbox man dlq retry | man -l -
  outbox man --dir /usr/local/share/man/man1`,
		RunE: func(cmd *cobra.Command, words []string) error {
			root := cmd.Root()
			if dir != "" {
				if len(words) > 0 {
					return usagef("name a command, or pass --dir for all of them, not both")
				}
				return writePages(root, dir)
			}
			of, rest, err := root.Find(words)
			if err != nil || len(rest) > 0 {
				return usagef("there is no command %q: see `outbox help`", strings.Join(words, " "))
			}
			_, err = a.stdout.Write(page(of))
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "`folder` to write the pages to; it is created if it does not exist")
	completeFlag(cmd, "dir", folders)
	return cmd
}

// writePages writes the page of every command.
func writePages(root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, c := range documented(root) {
		if err := os.WriteFile(filepath.Join(dir, pageName(c)+".1"), page(c), 0o644); err != nil { //nolint:gosec // everybody may read a manual
			return err
		}
	}
	return nil
}

// documented returns a command and those below it that people call.
func documented(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			all = append(all, documented(sub)...)
		}
	}
	return all
}

// pageName is outbox-dlq-list for "outbox dlq list".
func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// page is the manual page of a command.
func page(c *cobra.Command) []byte {
	c.InitDefaultHelpFlag()
	var r roff
	r.header(pageName(c), fmt.Sprintf("outbox %s", readBuild().Version))
	r.section("NAME")
	r.line(pageName(c), " \\- ", c.Short)
	r.section("SYNOPSIS")
	r.bold(c.UseLine())
	r.section("DESCRIPTION")
	long := c.Long
	if long == "" {
		long = c.Short + "."
	}
	before, codes, hasCodes := strings.Cut(long, exitCodes)
	r.text(before)
	r.text(codes)
	if c.HasAvailableSubCommands() {
		r.section("COMMANDS")
		for _, sub := range c.Commands() {
			if !sub.Hidden {
				r.entry(sub.CommandPath(), sub.Short)
			}
		}
	}
	if c.HasAvailableFlags() {
		r.section("OPTIONS")
		r.flags(c.Flags())
	}
	if hasCodes || c.Parent() == nil {
		r.section("EXIT STATUS")
		r.text(strings.TrimPrefix(exitCodes, "Exit codes:\n"))
	}
	if c.Flags().Lookup("database") != nil {
		r.section("ENVIRONMENT")
		r.entry(databaseVariable, "The URL of the database, if --database is not given.")
	}
	if c.Flags().Lookup("api") != nil {
		r.entry(apiVariable, "The URL of the REST API, if neither --api nor --database is given.")
		r.entry(apiTokenVariable, "The token for the API, if neither --token nor --token-file is given, and the URL has no user.")
		r.entry(apiCAVariable, "The file with certificates to trust, if --api-ca is not given.")
	}
	if c.Example != "" {
		r.section("EXAMPLES")
		r.text(c.Example)
	}
	r.seeAlso(c)
	return r.bytes()
}
