package oidc_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/oidc"
	"github.com/sendoff-go/outbox/store/memstore"
)

func Example() {
	p, err := oidc.New(oidc.Config{
		Issuer:     "https://login.example.com/realms/shop",
		Audience:   "outbox",
		RolesClaim: "realm_access.roles",
		Roles:      map[string]admin.Role{"shop-support": admin.Viewer, "shop-oncall": admin.Operator},
	})
	if err != nil {
		panic(err)
	}
	h, err := admin.New(admin.Config{Store: memstore.New(memstore.Config{}), Auth: p.Auth, Mask: []string{"$.card.number"}})
	if err != nil {
		panic(err)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/v1/status", nil))
	fmt.Println(w.Code)
	// Output: 401
}
