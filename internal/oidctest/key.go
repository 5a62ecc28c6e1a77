package oidctest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"maps"
	"testing"
)

// Key signs tokens.
type Key struct {
	id, algorithm string
	public        map[string]string // as the provider tells it
	sign          func(digest []byte) ([]byte, error)
}

// NewRSA makes a key for RS256.
func NewRSA(t testing.TB, id string) *Key {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	exponent := binary.BigEndian.AppendUint32(nil, uint32(key.E)) //nolint:gosec // it is 65537
	return &Key{
		id: id, algorithm: "RS256",
		public: map[string]string{"kty": "RSA", "use": "sig", "kid": id, "alg": "RS256", "n": encode(key.N.Bytes()), "e": encode(exponent[1:])},
		sign: func(digest []byte) ([]byte, error) {
			return rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, digest)
		},
	}
}

// NewECDSA makes a key for ES256.
func NewECDSA(t testing.TB, id string) *Key {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	point, err := key.PublicKey.Bytes() // 4, x and y
	if err != nil {
		t.Fatal(err)
	}
	return &Key{
		id: id, algorithm: "ES256",
		public: map[string]string{"kty": "EC", "crv": "P-256", "use": "sig", "kid": id, "alg": "ES256", "x": encode(point[1:33]), "y": encode(point[33:])},
		sign: func(digest []byte) ([]byte, error) {
			r, s, err := ecdsa.Sign(rand.Reader, key, digest)
			if err != nil {
				return nil, err
			}
			return append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...), nil
		},
	}
}

// Sign returns a token with claims, and with a header that may be changed.
func (k *Key) Sign(t testing.TB, header map[string]any, claims map[string]any) string {
	t.Helper()
	head := map[string]any{"alg": k.algorithm, "kid": k.id, "typ": "JWT"}
	maps.Copy(head, header)
	text := Part(t, head) + "." + Part(t, claims)
	digest := sha256.Sum256([]byte(text))
	signature, err := k.sign(digest[:])
	if err != nil {
		t.Fatal(err)
	}
	return text + "." + encode(signature)
}

// Part returns a part of a token.
func Part(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return encode(raw)
}

func encode(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }
