package console

// screens are the pages by their patterns.
func (c *Console) screens() map[string]load {
	return map[string]load{
		"GET /{$}":      c.overview,
		"GET /timeline": c.timelinePage,
		"GET /audit":    c.auditPage,

		"GET /events":      c.events,
		"GET /events/{id}": c.event,
		"GET /find":        c.find,
	}
}

// actions are the forms by their patterns.
func (c *Console) actions() map[string]do {
	return map[string]do{}
}
