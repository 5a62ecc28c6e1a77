package main

const (
	nameOneType   = "1 type"
	nameManyTypes = "2,000 types"
)

// severalTypes asks what it costs that each type has a lane of its own, with
// relays that nobody has tuned.
func severalTypes() scenario {
	return scenario{
		name: "types",
		what: "the same drain, rows kept, by 2 untouched relays as separate processes, events of 1 type and of 2,000 in turn",
		variants: []variant{
			{nameOneType, drainRelays(fleet{relays: 2, types: 1, untouched: true})},
			{nameManyTypes, drainRelays(fleet{relays: 2, types: 2000, untouched: true})},
		},
		judge: func(r results) []row {
			return []row{atLeast("drain of 2,000 types, against 1 type", r.figure(nameManyTypes, rate), r.figure(nameOneType, rate), 0.5)}
		},
	}
}
