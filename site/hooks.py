"""Hooks of mkdocs that make a site of pages that are written for the repository.

- The navigation is the list of pages in docs/README.md.
- Links that leave docs/ lead to the repository, and the Chinese README is a page.
- A page lists the Go packages, with their documentation on pkg.go.dev.
- Pages of docs/zh-CN have the theme's own words in Chinese.
- The site may ask nothing of other servers: that is checked after a build.
"""

import os
import re
from html.parser import HTMLParser
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
MODULE = "github.com/sendoff-go/outbox"
REPOSITORY = f"https://{MODULE}"

# Pages that are not under docs/, with the place that they get there.
CHINESE_HOME = "zh-CN/index.md"
PACKAGES = "packages.md"
PLACES = {"README.zh-CN.md": "docs/" + CHINESE_HOME, "README.md": "docs/README.md"}


# A link of Markdown or of HTML that names no scheme.
LINK = r"""(?P<before>\]\(|\b(?:src|srcset|href)=")(?!\w+:)(?P<target>[^)"#\s]+)(?P<anchor>#[^)"\s]*)?(?P<after>[)"])"""


def on_config(config):
    config.nav = navigation((ROOT / "docs/README.md").read_text())
    return config


def navigation(index):
    """The pages that docs/README.md links to, in its order, under its bold lines."""
    nav, section = [{"outbox": "README.md"}], None
    for line in index.splitlines():
        if heading := re.fullmatch(r"\*\*(.+)\*\*", line):
            section = []
            nav.append({heading[1]: section})
        if not line.startswith("| ") or section is None:
            continue
        for title, target in re.findall(r"\[([^\]]+)\]\((\S+?\.md)\)", line):
            place = PLACES.get(target.removeprefix("../"), "docs/" + target).removeprefix("docs/")
            if place.startswith("../"):
                continue
            if place == "adr/README.md":
                records = sorted(p.name for p in (ROOT / "docs/adr").glob("0*.md"))
                section.append({title: [place] + [f"adr/{name}" for name in records]})
            else:
                section.append({title[0].upper() + title[1:]: place})
    nav.append({"Go packages": PACKAGES})
    return nav


def on_files(files, config):
    files.append(File.generated(config, CHINESE_HOME, content=relocated((ROOT / "README.zh-CN.md").read_text(), "README.zh-CN.md", "docs/" + CHINESE_HOME)))
    files.append(File.generated(config, PACKAGES, content=packages()))
    files.append(File.generated(config, "site.css", abs_src_path=str(ROOT / "site/site.css")))
    # The theme looks for the pages of a language here, to stay on the page.
    files.append(File.generated(config, "zh-CN/sitemap.xml", content='<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>\n'))
    return files


def on_page_markdown(markdown, page, **_):
    path = "docs/" + page.file.src_uri
    if page.file.generated_by:
        return markdown
    return relocated(markdown, path, path)


def relocated(markdown, source, place):
    """The text of the file source, with links that work where it is placed."""

    def link(match):
        before, target, anchor, after = match["before"], match["target"], match["anchor"] or "", match["after"]
        path = os.path.normpath(os.path.join(os.path.dirname(source), target))
        path = PLACES.get(path, path)
        if path.startswith("docs/") and os.path.isfile(ROOT / path) or path in PLACES.values():
            return f"{before}{os.path.relpath(path, os.path.dirname(place))}{anchor}{after}"
        if not os.path.exists(ROOT / path):
            raise PluginError(f"{source} links to {target}, which is not there")
        kind = "tree" if os.path.isdir(ROOT / path) else "blob"
        return f"{before}{REPOSITORY}/{kind}/main/{path}{anchor}{after}"

    lines, fenced = [], False
    for line in markdown.splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
        if not fenced:
            line = re.sub(LINK, link, line)
        lines.append(line)
    return "\n".join(lines) + "\n"


def packages():
    """A page with the public packages: those that have a doc.go, internal ones left out."""
    text = ["# Go packages", "", "Every package that you may import, with its documentation on pkg.go.dev.", "", "| package | |", "| --- | --- |"]
    hidden = {"internal", "examples", "bench", "e2e", "testdata", "cmd"}
    for file in sorted(ROOT.glob("**/doc.go"), key=lambda f: f.parent):
        folder = file.parent.relative_to(ROOT)
        comment = re.search(r"^// Package \w+ (.+(?:\n// .+)*)", file.read_text(), re.M)
        if hidden & set(folder.parts) or not comment:
            continue
        says = re.split(r"[.:](?:\s|$)", comment[1].replace("\n// ", " "))[0]
        says = re.sub(r"\[([\w.]+)\]", r"`\1`", says).replace("|", "\\|")
        path = MODULE if folder == Path(".") else f"{MODULE}/{folder.as_posix()}"
        text.append(f"| [{path.removeprefix(MODULE + '/').removeprefix('github.com/sendoff-go/')}](https://pkg.go.dev/{path}) | {says} |")
    return "\n".join(text) + "\n"


def on_page_context(context, page, config, **_):
    config.theme["language"] = "zh" if page.file.src_uri.startswith("zh-CN/") else "en"
    return context


class Requests(HTMLParser):
    """What a browser fetches by itself when it shows a page."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "link" and attrs.get("rel") not in {"canonical", "alternate", "next", "prev"}:
            self.found.append(attrs.get("href"))
        elif tag in {"script", "img", "iframe", "source", "video", "audio", "embed"}:
            self.found.append(attrs.get("src"))


def on_post_build(config):
    for path in Path(config.site_dir).rglob("*"):
        if path.suffix == ".html":
            parser = Requests()
            parser.feed(path.read_text())
            found = parser.found
        elif path.suffix == ".css":
            found = re.findall(r"""(?:url\(|@import\s+)["']?([^"')]+)""", path.read_text())
        else:
            continue
        for url in found:
            if url and re.match(r"(\w+:)?//", url) and not url.startswith("data:"):
                raise PluginError(f"{path.relative_to(config.site_dir)} would fetch {url}: readers must not need other servers")
