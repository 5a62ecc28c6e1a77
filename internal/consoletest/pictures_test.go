package consoletest

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestPicturesForTheReadme takes the pictures that README and docs/console.md show.
// With OUTBOX_UPDATE_PICTURES=1 it replaces those in docs/images.
func TestPicturesForTheReadme(t *testing.T) {
	update := os.Getenv("OUTBOX_UPDATE_PICTURES") == "1"
	s := openSite(t, openShopOf(t, "welcome-v3"))
	s.fill()
	if update { // something to see in the chart
		for range 120 {
			s.write("OrderPlaced", 20+int(time.Now().UnixNano()%17))
			s.write("PaymentCaptured", 1)
			<-time.After(250 * time.Millisecond)
		}
	}
	b := s.open(t).signIn("ada", "admin")
	for _, theme := range []string{"light", "dark"} {
		b.size(1440, theme == "dark")
		for name, page := range map[string]string{"console-overview": "", "console-letter": s.pages()["letter"]} {
			b.visit(page)
			b.becomes(`document.readyState === "complete" && (!document.getElementById("plot") || document.querySelector("#plot canvas") !== null)`)
			text, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
			if err != nil {
				t.Fatal(err)
			}
			if shown, err := png.DecodeConfig(bytes.NewReader(text)); err != nil || shown.Width != 1440 || shown.Height != 900 {
				t.Errorf("%s is %d by %d, error %v", name, shown.Width, shown.Height, err)
			}
			if update {
				file := filepath.Join("..", "..", "docs", "images", name+"-"+theme+".png")
				if err := os.WriteFile(file, text, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
