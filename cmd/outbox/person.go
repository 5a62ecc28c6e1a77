package main

import (
	"os"
	"os/user"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/driver"
)

// personFlags say who changes something, and why.
type personFlags struct{ by, note string }

func (f *personFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.by, "by", "", "`name` for the audit log (default user@host; not with --api, where the server knows it)")
	cmd.Flags().StringVar(&f.note, "note", "", "why, for the audit log")
}

func (f *personFlags) act() driver.Act {
	if f.by == "" {
		f.by = "unknown"
		if u, err := user.Current(); err == nil {
			f.by = u.Username
		}
		if host, err := os.Hostname(); err == nil {
			f.by += "@" + host
		}
	}
	return driver.Act{By: f.by, Note: f.note}
}
