package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is set by -ldflags "-X main.release=v1.2.3". Default: what the Go
// tool knows of the build.
var release string

// build is what is known of this binary.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// String is one line for people.
func (b build) String() string {
	line := "outbox " + b.Version
	if b.Revision != "" {
		line += " (" + b.Revision
		if b.Modified {
			line += ", modified"
		}
		line += ")"
	}
	return line + " " + b.Go + " " + b.Platform
}

func (a *app) version() *cobra.Command {
	var out output
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			b := readBuild()
			if out == asJSON {
				return a.printJSON(b)
			}
			fmt.Fprintln(a.stdout, b)
			return nil
		},
	}
	out.add(cmd)
	return cmd
}

func readBuild() build {
	b := build{Version: release, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if b.Version == "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value[:min(len(s.Value), 12)]
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}
