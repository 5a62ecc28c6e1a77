package memstore_test

import (
	"testing"

	"github.com/sendoff-go/outbox/inboxtest"
	"github.com/sendoff-go/outbox/internal/ledgertest"
)

func TestLedgerKeepsTheLaws(t *testing.T) { inboxtest.Run(t, ledgertest.Memory, ledgertest.Memory) }
