package console

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
)

// signer signs what browsers keep.
type signer struct{ key []byte }

// newSigner derives the key, so that what was signed for another purpose with the
// same one is not accepted.
func newSigner(key []byte, purpose string) signer {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(purpose))
	return signer{mac.Sum(nil)}
}

func (s signer) sign(text string) string {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// seal returns v as the value of a cookie, which anybody can read and nobody can
// change.
func (s signer) seal(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // it is texts and numbers
	}
	value := base64.RawURLEncoding.EncodeToString(text)
	return value + "." + s.sign(value)
}

// open reads what seal has returned. It reports false for anything else.
func (s signer) open(cookie string, v any) bool {
	value, signature, _ := strings.Cut(cookie, ".")
	if !hmac.Equal([]byte(signature), []byte(s.sign(value))) {
		return false
	}
	text, err := base64.RawURLEncoding.DecodeString(value)
	return err == nil && json.Unmarshal(text, v) == nil
}
