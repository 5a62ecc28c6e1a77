package main

// kind says how a bar is drawn.
type kind string

const (
	ours  kind = "ours"
	peer  kind = "peer"
	floor kind = "floor"
)

// bar is one variant under a name that a reader knows.
type bar struct {
	label string
	kind  kind
	variant
}

type group struct {
	title string
	bars  []bar
}

var groups = []group{
	{"Backlog to a listener that does nothing, rows kept as DONE", []bar{
		{"outbox, default settings", ours, variant{"drain-kept", "ours, untouched"}},
		{"outbox, tuned", ours, variant{"drain-kept", "ours"}},
		{"outbox, tuned, database/sql", ours, variant{"drain-kept", "ours on database/sql"}},
		{"watermill-sql", peer, variant{"drain-kept", "watermill, batches of 5000"}},
		{"River", peer, variant{"drain-kept", "River"}},
		{"floor: our SQL alone", floor, variant{"drain-kept", "floor, batches of 5000"}},
	}},
	{"Backlog to a listener that does nothing, rows deleted when delivered", []bar{
		{"outbox, default settings", ours, variant{"drain-deleted", "ours, untouched"}},
		{"outbox, tuned", ours, variant{"drain-deleted", "ours"}},
		{"outbox, tuned, database/sql", ours, variant{"drain-deleted", "ours on database/sql"}},
		{"watermill-sql as a queue", peer, variant{"drain-deleted", "watermill, queue, batches of 5000"}},
		{"oagudo/outbox", peer, variant{"drain-deleted", "oagudo, batches of 5000"}},
		{"floor: our SQL alone", floor, variant{"drain-deleted", "floor, batches of 5000"}},
	}},
	{"Backlog to a broker that has each message on disk, rows kept", []bar{
		{"Redis Streams", ours, variant{"redis", "ours"}},
		{"Kafka", ours, variant{"kafka", "ours"}},
		{"RabbitMQ, quorum queue", ours, variant{"rabbitmq", "ours, quorum queue"}},
		{"RabbitMQ, classic queue", ours, variant{"rabbitmq", "ours"}},
		{"NATS JetStream", ours, variant{"nats", "ours"}},
	}},
}
