package httpsink

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// classify returns what an answer means for its message.
func classify(resp *http.Response, most time.Duration, text string) error {
	if resp.StatusCode/100 == 2 {
		return nil
	}
	err := errors.New("httpsink: " + text)
	if unknown(resp.StatusCode) {
		err = driver.Uncertain(err)
	}
	delay, asked := retryAfter(resp.Header, most)
	switch code := resp.StatusCode; {
	case away(code):
		if asked {
			return outbox.Unavailable(errors.Join(err, outbox.RetryAfter(delay)))
		}
		return outbox.Unavailable(err)
	case code/100 == 4 && code != http.StatusTooEarly:
		return outbox.Permanent(err)
	case code/100 == 3:
		return errors.New(err.Error() + ": redirects are followed only with 307 and 308 and to the same host: use the new URL")
	}
	if asked {
		return errors.Join(err, outbox.RetryAfter(delay))
	}
	return err
}

// away reports whether the status is about the server, not the message.
func away(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// unknown reports whether a status means that a proxy got no answer from the
// receiver, which may have handled the message. From 520 on, only proxies use
// codes, and no standard defines them. With any other error status the receiver
// says that it did not take the message.
func unknown(status int) bool {
	return status == http.StatusBadGateway || status == http.StatusGatewayTimeout || status >= 520
}

// retryAfter reads the header, which is a number of seconds or a date. A date
// is compared with the server's own clock if the answer has a Date.
func retryAfter(h http.Header, most time.Duration) (time.Duration, bool) {
	text := h.Get("Retry-After")
	if text == "" {
		return 0, false
	}
	seconds, err := strconv.ParseUint(text, 10, 32)
	if errors.Is(err, strconv.ErrRange) { // a number, and a huge one
		return most, true
	}
	if err == nil {
		return min(time.Duration(seconds)*time.Second, most), true
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return min(max(at.Sub(now), 0), most), true
}
