package main

import "slices"

const (
	nameNull = "null listener"
	nameRaw  = "raw"
)

// brokerScenario measures the way from PostgreSQL to a broker. Without doing
// two things at once, the best possible is reading the table and then sending.
func brokerScenario(name, what string, events int, batches []int, kind brokerKind) scenario {
	raws, rawNames := inBatches(nameRaw, batches, sendRaw(kind, events))
	return scenario{
		name: name,
		what: thousands(float64(events)) + " waiting events of 200 bytes to " + what,
		variants: slices.Concat([]variant{{nameNull, drainNull(events)}}, raws, []variant{
			{nameOurs, sendOurs(kind, tuned(), events)},
			{nameDefault, sendOurs(kind, untouched(), events)},
		}),
		judge: func(r results) []row {
			ours := r.figure(nameOurs, rate)
			return []row{
				atLeast(name+", against 1/(1/raw + 1/drain)", ours, oneAndThen(r.fastest(rawNames...), r.figure(nameNull, rate)), 0.8),
				compared(name+", untouched configuration, against the tuned one", r.figure(nameDefault, rate), ours),
			}
		},
	}
}

func kafkaScenario() scenario {
	return brokerScenario("kafka", "Kafka, acks of all, idempotent, 4 partitions", drainEvents, []int{1000, 10_000}, kafkaKind())
}

// natsEvents are fewer: the server syncs after each message, which takes long.
const natsEvents = drainEvents / 4

func natsScenario() scenario {
	return brokerScenario("nats", "NATS JetStream, a stream in files", natsEvents, []int{500, 1000}, natsKind())
}

func redisScenario() scenario {
	return brokerScenario("redis", "a Redis stream, pipelined XADD", drainEvents, []int{500, 2000}, redisKind())
}

// Queues of the other kind are shown beside the classic one.
const (
	nameRawQuorum  = "raw, quorum queue"
	nameOursQuorum = "ours, quorum queue"
)

func rabbitScenario() scenario {
	s := brokerScenario("rabbitmq", "RabbitMQ, confirms, persistent, a durable classic queue", drainEvents, rabbitBatches, rabbitKind(classicQueue))
	raws, rawNames := inBatches(nameRawQuorum, rabbitBatches, sendRaw(rabbitKind(quorumQueue), drainEvents))
	s.variants = slices.Concat(s.variants, raws, []variant{{nameOursQuorum, sendOurs(rabbitKind(quorumQueue), tuned(), drainEvents)}})
	classic := s.judge
	s.judge = func(r results) []row {
		return append(classic(r), compared("rabbitmq, quorum queue, against 1/(1/raw + 1/drain)",
			r.figure(nameOursQuorum, rate), oneAndThen(r.fastest(rawNames...), r.figure(nameNull, rate))))
	}
	return s
}

var rabbitBatches = []int{500, 2000}
