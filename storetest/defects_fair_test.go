package storetest

import (
	"context"
	"errors"
	"strings"

	"github.com/sendoff-go/outbox/driver"
)

func fairDefects() []defect {
	const (
		listed  = "tenants with pending rows of a lane are listed page by page"
		apart   = "a claim by tenant takes rows of that tenant and lane alone"
		divided = "one claim divides a lane among tenants as it asks"
		fenced  = "a claim by tenant leaves what is held or not due"
	)
	tenants := func(change func(ts []driver.WaitingTenant) []driver.WaitingTenant) func(b *broken) {
		return func(b *broken) {
			b.tenants = func(ctx context.Context, lane, after string, limit int) ([]driver.WaitingTenant, error) {
				ts, err := b.Store.Tenants(ctx, lane, after, limit)
				return change(ts), err
			}
		}
	}
	return []defect{
		{"a store is never prepared", "a store says whether it is prepared for fair claims", false, func(b *broken) {
			b.checkFair = func(context.Context) error { return errors.New("no such index") }
		}},
		{"a tenant is overlooked", listed, false, tenants(func(ts []driver.WaitingTenant) []driver.WaitingTenant {
			return ts[min(len(ts), 1):]
		})},
		{"a page of tenants starts over", listed, false, func(b *broken) {
			b.tenants = func(ctx context.Context, lane, _ string, limit int) ([]driver.WaitingTenant, error) {
				return b.Store.Tenants(ctx, lane, "", limit)
			}
		}},
		{"rows without a tenant are listed", listed, false, tenants(func(ts []driver.WaitingTenant) []driver.WaitingTenant {
			return append(ts, driver.WaitingTenant{})
		})},
		{"every tenant is due", "a tenant is due when its earliest row is", false, tenants(func(ts []driver.WaitingTenant) []driver.WaitingTenant {
			for i := range ts {
				ts[i].Due = true
			}
			return ts
		})},
		{"a claim by tenant forgets the age", "a claim of a tenant keeps to the age", false, func(b *broken) {
			b.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
				if len(req.Wants) > 0 && req.Wants[0].ByTenant {
					req.Age = 0
				}
				return b.Store.Claim(ctx, req)
			}
		}},
		{"a claim forgets the tenant", apart, false, eachWant(func(w *driver.Want) { w.ByTenant = false })},
		{"tenants are compared without case", apart, false, func(b *broken) {
			b.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
				var wants []driver.Want
				for _, w := range req.Wants {
					wants = append(wants, w)
					if w.ByTenant {
						w.Tenant = strings.ToUpper(w.Tenant)
						wants = append(wants, w)
					}
				}
				req.Wants = wants
				return b.Store.Claim(ctx, req)
			}
		}},
		{"rows without a tenant are overlooked", divided, false, eachWant(func(w *driver.Want) {
			if w.ByTenant && w.Tenant == "" {
				w.Rows = 0
			}
		})},
		{"the first tenant gets the rows of all", divided, false, eachWant(func(w *driver.Want) {
			if w.Tenant == "big" {
				w.Rows *= 2
			}
		})},
		{"the bytes are those of the lane", divided, false, eachWant(func(w *driver.Want) { w.Bytes = 0 })},
		{"a tenant is read forward only", "a claim by tenant reads on from a position, or from the head again", false, func(b *broken) {
			var at driver.Position
			b.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
				for i := range req.Wants {
					req.Wants[i].After = at
				}
				cs, err := b.Store.Claim(ctx, req)
				if len(cs) > 0 {
					at = cs[len(cs)-1].Position
				}
				return cs, err
			}
		}},
		{"a claim by tenant ends the head start", fenced, false, func(b *broken) {
			b.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
				_ = b.Expire(ctx, b.ids...)
				return b.Store.Claim(ctx, req)
			}
		}},
		{"two get the same row of a tenant", "claims by tenant and by lane at once get each row once", false,
			claims(func(cs []driver.Claimed) []driver.Claimed { return append(cs, cs[:min(len(cs), 1)]...) })},
		{"a tenant's locked row is taken", "a claim by tenant skips a row that another session has locked", false,
			claims(func(cs []driver.Claimed) []driver.Claimed { return cs[:len(cs)/2] })},
	}
}
