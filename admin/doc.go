// Package admin serves an outbox over HTTP: what waits, the dead letters and
// what to do with them, pausing, and the audit log. It is one [http.Handler], to
// be mounted at the root of a server or of a subdomain:
//
//	h, err := admin.New(admin.Config{
//		Store: store,
//		Auth:  auth, // for example of [Tokens]
//	})
//
// Nothing is served without authentication, unless Auth is [Anyone] or
// [AnyoneHere]. The API is described by its OpenAPI document at /api/openapi.json.
// Requests from other web sites are refused, and every change is in the audit log
// under the name of the person who made it.
//
// The handler has no TLS and no limit on the number of connections: those belong
// to its server.
package admin
