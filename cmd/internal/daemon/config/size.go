package config

import (
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Size is a number of bytes as Spring reads it: a number, or one with B, KB,
// MB or GB, which are powers of 1024; KiB, MiB and GiB are the same.
type Size int64

var sizeText = regexp.MustCompile(`^(\d+)\s*(?:([KMG])I?)?B?$`)

// ParseSize reads a number of bytes.
func ParseSize(text string) (Size, error) {
	part := sizeText.FindStringSubmatch(strings.ToUpper(strings.TrimSpace(text)))
	if part == nil {
		return 0, errors.New("not a size: write 64MB, 512KB, 1GB or a number of bytes")
	}
	n, err := strconv.ParseInt(part[1], 10, 64)
	shift := map[string]int{"": 0, "K": 10, "M": 20, "G": 30}[part[2]]
	if err != nil || n > math.MaxInt64>>shift {
		return 0, errors.New("too large")
	}
	return Size(n << shift), nil
}

// String is the size in the largest unit that it is a whole number of.
func (s Size) String() string {
	for i, unit := range []string{"GB", "MB", "KB"} {
		if n := Size(1) << (10 * (3 - i)); s >= n && s%n == 0 {
			return strconv.FormatInt(int64(s/n), 10) + unit
		}
	}
	return strconv.FormatInt(int64(s), 10)
}
