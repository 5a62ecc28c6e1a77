package console

// screens are the pages by their patterns. What a page is about is in its query: an
// id in a path could be another page, or be changed by a browser or a proxy, as .. or
// a%2Fb are.
func (c *Console) screens() map[string]load {
	return map[string]load{
		"GET /{$}":          c.overview,
		"GET /timeline":     c.timelinePage,
		"GET /audit":        c.auditPage,
		"GET /jobs":         c.jobsPage,
		"GET /jobs/new":     c.newJobPage,
		"GET /jobs/one":     c.jobPage,
		"GET /types":        c.typesPage,
		"GET /types/one":    c.typePage,
		"GET /destinations": c.destinationsPage,
		"GET /pause":        c.pausePage,
		"GET /instances":    c.instancesPage,
		"GET /consumers":    c.consumersPage,
		"GET /alerts":       c.alertsPage,
		"GET /alerts/mute":  c.mutePage,
		"GET /settings":     c.settingsPage,
		"GET /about":        c.aboutPage,

		"GET /dead-letters":       c.deadGroups,
		"GET /dead-letters/list":  c.letters,
		"GET /dead-letters/group": c.deadGroup,
		"GET /dead-letters/mark":  c.markPage,
		"GET /dead-letters/act":   c.actPage,
		"POST /dead-letters/act":  c.act,
		"GET /dead-letters/one":   c.letter,
		"GET /dead-letters/edit":  c.editPage,
		"POST /dead-letters/edit": c.edit,

		"GET /events":     c.events,
		"GET /events/one": c.event,
		"GET /find":       c.find,
	}
}

// actions are the forms by their patterns.
func (c *Console) actions() map[string]do {
	return map[string]do{
		"POST /jobs/new":     startJob,
		"POST /jobs/cancel":  decideJob("cancel"),
		"POST /jobs/consent": decideJob("consent"),
		"POST /pause":        setPaused,
		"POST /alerts/mute":  muteAlert,

		"POST /dead-letters/mark": c.mark,
		"POST /dead-letters/note": c.noteLetter,
	}
}
