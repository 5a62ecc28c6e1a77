package console

// chineseAlerts are the texts of package alert, with %s for values, and %v for those
// that are texts of the same list. The reason why a destination is down is its own.
var chineseAlerts = map[string]string{
	"No relay is alive, so nothing is delivered.":                        "没有存活的中继，因此不会投递任何事件。",
	"An event of type %s has been due for %s.%v":                         "类型 %s 的一个事件已到期 %s 仍未投递。%v",
	" The type is paused.":                                               "该类型已暂停。",
	" Paused destinations: %s.":                                          "已暂停的目标：%s。",
	"No relay claims events of type %s. The oldest has been due for %s.": "没有中继处理类型 %s 的事件。最早的一个已到期 %s。",
	"The destination %s has been down for %s: %s":                        "目标 %s 已不可用 %s：%s",
	"Of the events that died within %s, %v are open dead letters.":       "在 %s 内成为死信的事件中，尚未解决的条数：%v。",
	"more than %s": "超过 %s",
}
