// Package rates computes what an outbox does a second, and how long its events
// take, from states that were read one after another. Relays announce what they
// have done since they started: a [Meter] takes the differences.
//
//	var m rates.Meter
//	for status := range statuses { // of the API, every few seconds
//		step, ok := m.Add(status, time.Now())
//		if ok {
//			fmt.Println(step.PerSecond(step.Total.Delivered), step.Total.Percentile(0.99))
//		}
//	}
//
// Several steps are put together with [Step.Merge]. What is not promised: relays
// announce themselves every few seconds, so a step that is shorter than that has
// what they did a second before.
package rates
