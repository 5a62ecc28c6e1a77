package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../../.."

func TestTheChartIsThatOfTheRecordedFigures(t *testing.T) {
	want, err := draw(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, chart))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not drawn from %s as it is now: run go run ./internal/tools/benchchart", chart, notes)
	}
}

func TestRatesAreReadFromTheTablesOfTheirScenario(t *testing.T) {
	page := "| what | ours |\n### a\n| x, y | rate | 1,234/s | 1,000/s | 2,000/s | 0 | 0 |\n| x, y | stolen | 1 % | 0 % | 2 % | 0 | 0 |\n### b\n| x, y | rate | 5/s | 4/s | 6/s | 0 | 0 |\n"
	rates, err := readRates(page)
	if err != nil {
		t.Fatal(err)
	}
	if len(rates) != 2 || rates[variant{"a", "x, y"}] != (rate{1234, 1000, 2000}) || rates[variant{"b", "x, y"}].median != 5 {
		t.Errorf("read %v", rates)
	}
	if _, err := readRates("### a\n| x | rate | many | 1/s | 2/s | 0 | 0 |\n"); err == nil {
		t.Error("a rate that is no number is not told")
	}
}

func TestAFigureThatIsMissingIsTold(t *testing.T) {
	_, err := svg(groups, map[variant]rate{})
	if err == nil || !strings.Contains(err.Error(), "ours, untouched") {
		t.Errorf("error %v", err)
	}
}
