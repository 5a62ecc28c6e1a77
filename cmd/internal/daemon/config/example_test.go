package config_test

import (
	"fmt"

	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
)

func ExampleRead() {
	file := `
outbox:
  publisher:
    sender: {type: kafka}
    events:
      order-created: {topic: orders, max-retrys: 5}
`
	_, _, err := config.Read("outbox.yaml", []byte(file), []string{"OUTBOX_DATABASE_URL=sqlite://shop.db"})
	fmt.Println(err)
	// Output:
	// outbox.yaml:6:38: unknown key max-retrys in outbox.publisher.events.order-created: did you mean max-retries?
}
