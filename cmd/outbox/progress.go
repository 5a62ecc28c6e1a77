package main

import (
	"fmt"
	"strings"

	"github.com/sendoff-go/outbox/admin"
)

// barWidth fits beside the counter on a narrow terminal.
const barWidth = 30

// progressBar is how far a job has come, of what it matched when it was started.
// Rows that it left alone are done too.
func progressBar(now admin.Job, of admin.Count) string {
	full := 0
	if of.N > 0 {
		full = int(min(barWidth*(now.Applied+now.Conflicts+now.Gone)/of.N, barWidth))
	}
	return fmt.Sprintf("[%s%s] %d of %s", strings.Repeat("#", full), strings.Repeat("-", barWidth-full), now.Applied, counted(of))
}
