package main

import (
	"fmt"

	"github.com/sendoff-go/outbox/admin"
)

// mostDestinations fit on a screen. If there are more, those that deliver are
// only counted.
const mostDestinations = 20

// pausedOf returns the names of the paused destinations.
func pausedOf(all []admin.Destination) (names []string) {
	for _, d := range all {
		if d.State == admin.DestinationPaused {
			names = append(names, d.Name)
		}
	}
	return names
}

// printDestinations prints a table of the destinations, with what is wrong.
func (a *app) printDestinations(all []admin.Destination) error {
	var rows [][]string
	delivering := 0
	for _, d := range all {
		row := []string{d.Name, d.State, "-", fmt.Sprint(d.Relays), ""}
		switch d.State {
		case admin.DestinationPaused:
			row[2], row[4] = clock(*d.PausedAt), "by "+d.PausedBy
		case admin.DestinationDown:
			row[2], row[4] = clock(*d.DownSince), firstLine(d.Reason, 60)
		default:
			if delivering++; len(all) > mostDestinations {
				continue
			}
		}
		rows = append(rows, row)
	}
	if len(all) == 0 {
		return nil
	}
	fmt.Fprintln(a.stdout)
	if len(all) > mostDestinations {
		fmt.Fprintf(a.stdout, "%d destinations, of which %d deliver\n", len(all), delivering)
	}
	if len(rows) == 0 {
		return nil
	}
	return a.printTable("DESTINATION STATE SINCE RELAYS WHY", rows)
}
