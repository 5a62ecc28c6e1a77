// Package doctest checks the documentation: the README in both languages,
// CONTRIBUTING.md, the pages of the examples and everything under docs/. Links
// lead to files and headings that exist, Go code parses and names what the
// packages export, the snippets a reader copies first are lines of examples that
// are compiled and run, and tables of settings, hooks, columns and tests are
// complete. Pages in two languages have the same headings, code, links, tables,
// numbers and names. It needs no server.
//
// YAML is checked by the package that reads the daemon's configuration, the SQL
// of docs/inbox.md by internal/ledgertest, and other SQL by store/pgstore, both on
// databases.
package doctest
