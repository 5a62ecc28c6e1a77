package nearest_test

import (
	"testing"

	"github.com/sendoff-go/outbox/internal/nearest"
)

func TestTheNameThatWasMeantIsFound(t *testing.T) {
	names := []string{"OrderPlaced", "order-paid", "invoice.sent", "größe"}
	for name, want := range map[string]string{
		"orderplaced":  "OrderPlaced", // case
		"order_placed": "OrderPlaced", // separators
		"OrderPalced":  "OrderPlaced", // swapped
		"OrdersPlaced": "OrderPlaced", // one more
		"order/paid":   "order-paid",
		"invoice.send": "invoice.sent",
		"große":        "größe",
		"shipped":      "",
		"":             "",
	} {
		if got := nearest.To(name, 2, names); got != want {
			t.Errorf("nearest to %q is %q, want %q", name, got, want)
		}
	}
}
