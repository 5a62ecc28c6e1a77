// Package rates computes how many events per second an outbox delivers, and how
// long they take, from states that are read one after another. Relays announce
// totals since they started; a [Meter] takes the differences.
//
//	var m rates.Meter
//	for status := range statuses { // of the API, every few seconds
//		step, ok := m.Add(status, time.Now())
//		if ok {
//			fmt.Println(step.PerSecond(step.Total.Delivered), step.Total.Percentile(0.99))
//		}
//	}
//
// [Step.Merge] joins consecutive steps. Rates lag behind: relays announce
// themselves every few seconds, and a shorter step uses the rates between their
// last two announcements.
package rates
