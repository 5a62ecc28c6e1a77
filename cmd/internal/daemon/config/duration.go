package config

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Duration is a time as Spring reads it: a number with ns, us, ms, s, m, h or
// d, several of them in a row (1m30s), a number of milliseconds, or ISO 8601
// (PT1M30S).
type Duration time.Duration

var units = map[string]float64{
	"ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "": 1e6,
	"s": float64(time.Second), "m": float64(time.Minute), "h": float64(time.Hour), "d": 24 * float64(time.Hour),
}

var (
	simpleDuration = regexp.MustCompile(`^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h|d))+$|^\d+$`)
	durationPart   = regexp.MustCompile(`(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h|d|)`)
	isoDuration    = regexp.MustCompile(`^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$`)
)

var errDuration = errors.New("not a duration: write 10s, 500ms, 5m, 24h, 1d, PT10S or a number of milliseconds")

// ParseDuration reads a time. Negative ones are refused.
func ParseDuration(text string) (Duration, error) {
	text = strings.TrimSpace(text)
	var sum float64
	switch upper := strings.ToUpper(text); {
	case simpleDuration.MatchString(strings.ToLower(text)):
		for _, part := range durationPart.FindAllStringSubmatch(strings.ToLower(text), -1) {
			n, err := strconv.ParseFloat(part[1], 64)
			if err != nil {
				return 0, errDuration
			}
			sum += n * units[part[2]]
		}
	case isoDuration.MatchString(upper) && strings.ContainsAny(upper, "0123456789") && !strings.HasSuffix(upper, "T"):
		for i, part := range isoDuration.FindStringSubmatch(upper)[1:] {
			if part == "" {
				continue
			}
			n, err := strconv.ParseFloat(part, 64)
			if err != nil {
				return 0, errDuration
			}
			sum += n * units[[]string{"d", "h", "m", "s"}[i]]
		}
	default:
		return 0, errDuration
	}
	if sum > math.MaxInt64/2 {
		return 0, fmt.Errorf("too long: at most %s", Duration(math.MaxInt64/2/int64(time.Hour)*int64(time.Hour)))
	}
	return Duration(math.Round(sum)), nil
}

// String is the time in the largest unit that it is a whole number of.
func (d Duration) String() string {
	if d == 0 {
		return "0s"
	}
	for _, u := range []string{"h", "m", "s", "ms", "us"} {
		if n := int64(units[u]); int64(d)%n == 0 {
			return strconv.FormatInt(int64(d)/n, 10) + u
		}
	}
	return strconv.FormatInt(int64(d), 10) + "ns"
}

// Std is the time as the standard library has it.
func (d Duration) Std() time.Duration { return time.Duration(d) }
