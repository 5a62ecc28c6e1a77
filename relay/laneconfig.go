package relay

import (
	"errors"
	"log/slog"
)

// laneConfigs finds the settings of lanes.
type laneConfigs struct {
	base   LaneConfig
	named  map[string]LaneConfig
	others func(eventType string) LaneConfig // Config.LaneFor, or nil
	log    *slog.Logger
}

// of returns the settings of one lane. If those of LaneFor are invalid, they are those
// of Lane, and complain logs that: call it when nobody waits for the lane any more,
// since the log is the user's code.
func (c *laneConfigs) of(name string) (cfg LaneConfig, complain func()) {
	own, named := c.named[name]
	if named || c.others == nil {
		return own.over(c.base), nil
	}
	defer func() {
		if p := recover(); p != nil {
			cfg, complain = c.base, func() {
				c.log.Error("outbox: LaneFor panicked, using the settings in Lane", "event_type", name, "panic", p)
			}
		}
	}()
	cfg = c.others(name).over(c.base)
	if err := errors.Join(cfg.validate("LaneFor(" + name + ")")...); err != nil {
		return c.base, func() {
			c.log.Error("outbox: LaneFor returned invalid settings, using those in Lane", "event_type", name, "error", err)
		}
	}
	return cfg, nil
}
