package console

import (
	"context"

	"github.com/sendoff-go/outbox/admin"
)

// Provider signs people in elsewhere, by the authorization code flow of OpenID
// Connect with PKCE. Module admin/oidc has one. It must be safe for concurrent
// use.
type Provider interface {
	// Name is what the button says after "Sign in with".
	Name() string
	// AuthURL returns where to send the browser. The provider sends it back to
	// the callback page of this console, with the state and a code. The challenge
	// is the S256 challenge of the verifier that Person gets.
	AuthURL(ctx context.Context, state, nonce, challenge string) (string, error)
	// Person exchanges a code, and returns whose it is, with an empty role for
	// somebody who has none here. It returns [admin.ErrUnauthenticated] if the
	// provider refuses the code, or if the nonce is not the one that AuthURL got;
	// any other error is logged and answered with 503.
	Person(ctx context.Context, code, verifier, nonce string) (admin.Person, error)
}
