package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"golang.org/x/mod/semver"
)

func main() {
	version := flag.String("version", "", "the version of all modules, for example v0.1.0")
	proxy := flag.String("proxy", "", "the directory of the proxy")
	tags := flag.Bool("tags", false, "print the names of the tags")
	flag.Parse()
	if err := run(*version, *proxy, *tags); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(version, proxy string, tags bool) error {
	if !semver.IsValid(version) || semver.Canonical(version) != version {
		return fmt.Errorf("%q is not a version: give one such as v0.1.0", version)
	}
	modules, err := released(".")
	if err != nil {
		return err
	}
	if tags {
		for _, m := range modules {
			fmt.Println(m.tag(version))
		}
		return nil
	}
	if proxy == "" {
		return errors.New("no directory for the proxy: give -proxy")
	}
	for _, m := range modules {
		if err := m.publish(proxy, version, modules); err != nil {
			return err
		}
	}
	return nil
}
