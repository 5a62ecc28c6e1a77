package console

import (
	"fmt"
	"strings"
	"testing"
)

func TestAFinishedTextIsTranslatedWithItsValues(t *testing.T) {
	for text, want := range map[string]string{
		"No relay is alive, so nothing is delivered.":                                     "没有存活的中继，因此不会投递任何事件。",
		"An event of type OrderPlaced has been due for 5m.":                               "类型 OrderPlaced 的一个事件已到期 5m 仍未投递。",
		"An event of type OrderPlaced has been due for 5m. The type is paused.":           "类型 OrderPlaced 的一个事件已到期 5m 仍未投递。该类型已暂停。",
		"An event of type a.b has been due for 1h2m3s. Paused destinations: kafka, http.": "类型 a.b 的一个事件已到期 1h2m3s 仍未投递。已暂停的目标：kafka, http。",
		"Of the events that died within 15m, 12 are open dead letters.":                   "在 15m 内成为死信的事件中，尚未解决的条数：12。",
		"Of the events that died within 15m, more than 1000 are open dead letters.":       "在 15m 内成为死信的事件中，尚未解决的条数：超过 1000。",
		"The destination kafka has been down for 3m: dial tcp: 100%s refused":             "目标 kafka 已不可用 3m：dial tcp: 100%s refused",
		"No relay claims events of type T. The oldest has been due for 2m.":               "没有中继处理类型 T 的事件。最早的一个已到期 2m。",
		"An earlier version said this.":                                                   "An earlier version said this.",
		"":                                                                                "",
	} {
		if got := alertText("zh", text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if got := alertText("en", text); got != text {
			t.Errorf("%q is %q in English", text, got)
		}
	}
}

func TestARefusalIsTranslatedWithItsValues(t *testing.T) {
	for text, want := range map[string]string{
		"this is for the role admin, and yours is operator":                                                                 "此操作需要角色“管理员”，而您的角色是“操作员”。",
		"payload: write a path and a value, such as $.customer.id=4711":                                                     "载荷：请写出路径和值，例如 $.customer.id=4711。",
		"type is not text: it has a NUL byte, or is not UTF-8":                                                              "“类型”不是文本：含有 NUL 字节，或不是 UTF-8。",
		"written_after is not between 1970 and 9999":                                                                        "“written_after”不在 1970 年至 9999 年之间。",
		"the job is done: there is nothing to decide":                                                                       "任务的状态是“已完成”：没有需要决定的事。",
		"12 letters are more than the 10 that one person may change: start a job by a filter, which a second person allows": "12 条死信超过了一个人可以更改的 10 条：请按筛选条件启动任务，由第二个人同意。",
		"outbox: invalid event: header \"a\\\"b: \" is not valid UTF-8: encode it, for example as base64":                   "事件无效：消息头 \"a\\\"b: \" 不是有效的 UTF-8：请编码，例如用 base64。",
		"validation failed; query.key: expected length <= 128; body.rate: expected number <= 100000":                        "请求无效：query.key：长度不得超过 128；body.rate：数值不得大于 100000。",
		"validation failed; query.key: a new message: of huma":                                                              "请求无效：query.key：a new message: of huma。",
		"no running relay announces that events of type \"A\" go to \"k\", but to \"b\", \"c\" and others: leave the destination out to replay them to where they go now": "没有运行中的中继声明类型 \"A\" 的事件发往 \"k\"，而是发往 \"b\", \"c\" 等：去掉目标即可重新投递到它们现在的去处。",
		"something is wrong with this server: its log says what": "服务器出现问题：详情见其日志。", // the console says so too
		"nobody has written this":                                "Nobody has written this.",
	} {
		if got := problemText("zh", sentence(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if got := problemText("en", sentence(text)); got != sentence(text) {
			t.Errorf("%q is %q in English", text, got)
		}
	}
}

// Whoever names an event type or a destination must not be able to hide what an alert
// or a refusal says.
func TestNoValueIsLostInATranslation(t *testing.T) {
	values := []string{"", "%s", "%!d(x)", "%[9]d", `"`, `\`, "\x00\n", " has been due for ", ". The oldest has been due for 1s.", " The type is paused.",
		" Paused destinations: x.", " are open dead letters.", "more than ", "No relay is alive, so nothing is delivered.", "; a: b", ": ", ", but to ", strings.Repeat("payload: ", 400), `$1${1}\1`, "(.*)\\z"}
	for lists, say := range map[*map[string]string]func(string) string{
		&chineseAlerts: func(text string) string { return alertText("zh", text) },
		&chineseAPI:    func(text string) string { return problemText("zh", sentence(text)) },
	} {
		for key := range *lists {
			verbs := phraseVerb.FindAllString(key, -1)
			for i, v := range values {
				args := make([]any, len(verbs))
				for j, verb := range verbs {
					mark := fmt.Sprintf("mark%dq", j)
					switch verb {
					case "%d":
						args[j] = 987600 + j
					case "%q":
						args[j] = mark + v
					default:
						args[j] = mark + values[(i+j)%len(values)] + mark
					}
				}
				text := key
				if len(args) > 0 {
					text = fmt.Sprintf(key, args...)
				}
				got := say(text)
				for j, verb := range verbs {
					if verb == "%d" && !strings.Contains(got, fmt.Sprint(987600+j)) || verb != "%d" && strings.Count(got, fmt.Sprintf("mark%dq", j)) != strings.Count(text, fmt.Sprintf("mark%dq", j)) {
						t.Errorf("%q became %q", text, got)
					}
				}
			}
		}
	}
}
