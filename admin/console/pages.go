package console

// screens are the pages by their patterns.
func (c *Console) screens() map[string]load {
	return map[string]load{
		"GET /{$}":          c.overview,
		"GET /timeline":     c.timelinePage,
		"GET /audit":        c.auditPage,
		"GET /jobs":         c.jobsPage,
		"GET /jobs/new":     c.newJobPage,
		"GET /jobs/{id}":    c.jobPage,
		"GET /types":        c.typesPage,
		"GET /types/{type}": c.typePage,
		"GET /destinations": c.destinationsPage,
		"GET /pause":        c.pausePage,
		"GET /instances":    c.instancesPage,
		"GET /consumers":    c.consumersPage,
		"GET /alerts":       c.alertsPage,
		"GET /alerts/mute":  c.mutePage,
		"GET /settings":     c.settingsPage,
		"GET /about":        c.aboutPage,

		"GET /dead-letters":                  c.deadGroups,
		"GET /dead-letters/list":             c.letters,
		"GET /dead-letters/groups/{id}":      c.deadGroup,
		"GET /dead-letters/groups/{id}/mark": c.markPage,
		"GET /dead-letters/act":              c.actPage,
		"POST /dead-letters/act":             c.act,
		"GET /dead-letters/{id}":             c.letter,
		"GET /dead-letters/{id}/{edit}":      c.editPage, // groups/{id} is more specific
		"POST /dead-letters/{id}/edit":       c.edit,

		"GET /events":      c.events,
		"GET /events/{id}": c.event,
		"GET /find":        c.find,
	}
}

// actions are the forms by their patterns.
func (c *Console) actions() map[string]do {
	return map[string]do{
		"POST /jobs/new":          startJob,
		"POST /jobs/{id}/cancel":  decideJob("cancel"),
		"POST /jobs/{id}/consent": decideJob("consent"),
		"POST /pause":             setPaused,
		"POST /alerts/mute":       muteAlert,

		"POST /dead-letters/groups/{id}/mark": c.mark,
		"POST /dead-letters/{id}/note":        c.noteLetter,
	}
}
