package console

// chinese has every text of the pages; a test asks for each.
var chinese = map[string]string{
	"Overview": "概览",
}
