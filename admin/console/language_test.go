package console_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestRefusalsAreInTheLanguageOfTheBrowser(t *testing.T) {
	r := newLetterRig(t)
	for _, c := range []struct {
		role, method, path, form string
		want                     string
	}{
		{"viewer", "GET", "nothing/here", "", "该地址没有内容。"},
		{"viewer", "GET", "dead-letters/act?action=retry&all=1", "", "您的角色无权执行此操作。"},
		{"operator", "GET", "dead-letters/act?action=retry", "", "没有选中任何内容"},
		{"operator", "GET", "dead-letters/list?died_after=soon", "", "时间无法识别"},
		{"operator", "GET", "events?after=soon", "", "时间无法识别"},
		{"operator", "GET", "jobs/new?action=replay&rate=x&count=1", "", "速率不是数字。"},
		{"operator", "POST", "alerts/mute", "id=1&for=soon", "这不是时长"},
		{"operator", "GET", "dead-letters/one?id=none", "", "没有使用该 ID 的死信：它已被重试或删除，或从未成为死信。"}, // by the API
	} {
		req, err := http.NewRequestWithContext(t.Context(), c.method, r.server.URL+"/x/console/"+c.path, strings.NewReader(c.form))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+c.role)
		req.Header.Set("Accept-Language", "zh-CN,zh;q=0.9,en;q=0.8")
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		p := r.sent(req)
		r.has(c.path, p.text, c.want, `<html lang="zh-Hans"`)
	}
}
