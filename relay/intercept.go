package relay

import (
	"context"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// own is the context of one event of a batch, for interceptors alone.
func (d *delivery) own(ctx context.Context, ds []outbox.Delivery) context.Context {
	if len(d.interceptors) == 0 {
		return ctx
	}
	return driver.ContextWithDeliveries(ctx, ds)
}

func (d *delivery) leave(ctx context.Context, e *outbox.Event, end func([]error), errs []error) {
	var ignored error
	defer d.panics.caught(ctx, e, &ignored)
	end(errs)
}

// before enters the interceptors in order and returns how many it entered.
func (d *delivery) before(ctx context.Context, e *outbox.Event) (out context.Context, entered int, err error) {
	out = ctx
	if len(d.interceptors) == 0 {
		return out, 0, nil
	}
	defer d.panics.caught(ctx, e, &err)
	for _, in := range d.interceptors {
		if in.Before != nil {
			next, err := in.Before(out, *e)
			if err != nil {
				return out, entered, err
			}
			out = next //nolint:fatcontext // each interceptor may add to it
		}
		entered++
	}
	return out, entered, nil
}

// after leaves them in reverse order.
func (d *delivery) after(ctx context.Context, e *outbox.Event, entered int, err error) {
	for i := entered - 1; i >= 0; i-- {
		d.afterOne(ctx, d.interceptors[i], e, err)
	}
}

func (d *delivery) afterOne(ctx context.Context, in outbox.Interceptor, e *outbox.Event, err error) {
	if in.After == nil {
		return
	}
	var ignored error
	defer d.panics.caught(ctx, e, &ignored)
	in.After(ctx, *e, err)
}
