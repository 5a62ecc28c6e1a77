package main

import (
	"fmt"
	"strconv"
	"strings"
)

// rate is events a second: the median of the runs, the lowest and the highest.
type rate struct{ median, lowest, highest float64 }

// variant names one row of the tables: a scenario and what ran in it.
type variant struct{ scenario, name string }

// readRates reads the rows "rate" of every scenario's table.
func readRates(page string) (map[variant]rate, error) {
	rates := map[variant]rate{}
	scenario := ""
	for number, line := range strings.Split(page, "\n") {
		if name, ok := strings.CutPrefix(line, "### "); ok {
			scenario = name
		}
		cells := strings.Split(line, "|")
		if len(cells) < 7 || strings.TrimSpace(cells[2]) != "rate" {
			continue
		}
		var r rate
		for i, v := range []*float64{&r.median, &r.lowest, &r.highest} {
			text := strings.ReplaceAll(strings.TrimSuffix(strings.TrimSpace(cells[3+i]), "/s"), ",", "")
			n, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", number+1, err)
			}
			*v = n
		}
		rates[variant{scenario, strings.TrimSpace(cells[1])}] = r
	}
	return rates, nil
}
