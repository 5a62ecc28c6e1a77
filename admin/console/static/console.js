// What pages do beyond showing themselves. All of them can be read without it.
(() => {
	"use strict";
	const html = document.documentElement;
	html.classList.add("script");
	const $ = (id) => document.getElementById(id);

	// The chart is drawn from data beside it; the server's colours are the page's.
	let plot, drawn, shown;
	const colour = (name) => getComputedStyle(html).getPropertyValue(name).trim();
	const draw = () => {
		const box = $("chart"), place = $("plot");
		if (!box || !place || typeof uPlot === "undefined") return;
		const theme = colour("--accent") + place.clientWidth;
		if (box.dataset.chart === drawn && shown === theme) return;
		const data = JSON.parse(box.dataset.chart);
		const series = [data.at, data.written, data.delivered, data.failed];
		drawn = box.dataset.chart;
		if (plot && shown === theme && place.contains(plot.root)) return plot.setData(series);
		shown = theme;
		plot?.destroy();
		place.replaceChildren();
		const axis = {stroke: colour("--ink3"), grid: {stroke: colour("--line2"), width: 1}, ticks: {show: false}, font: "11px sans-serif"};
		plot = new uPlot({
			width: place.clientWidth, height: 170, cursor: {y: false}, legend: {show: false},
			scales: {y: {range: (_, min, max) => [0, Math.max(max * 1.1, 1)]}},
			// Times are UTC, as everywhere on the pages.
			axes: [{...axis, space: 76, values: (_, at) => at.map((s) => new Date(s * 1000).toISOString().slice(11, at[1] - at[0] < 60 ? 19 : 16))}, {...axis, size: 44}],
			series: [{},
				{label: box.dataset.written, stroke: colour("--ink3"), dash: [4, 4], width: 1.5},
				{label: box.dataset.delivered, stroke: colour("--accent"), width: 2},
				{label: box.dataset.failed, stroke: colour("--bad"), width: 1.5}],
		}, series, place);
	};
	document.addEventListener("DOMContentLoaded", draw);
	document.addEventListener("htmx:after:swap", draw);
	addEventListener("resize", draw);
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

	document.addEventListener("click", (e) => {
		if (e.target.matches("[data-back]")) { e.preventDefault(); history.back(); }
		if (e.target.matches("[data-copy], [data-copy-of]")) copy(e.target);
	});

	// A form that changes something is sent once, also by a double click.
	const sent = new WeakSet();
	const again = (form, button) => {
		sent.delete(form);
		button?.removeAttribute("aria-busy");
	};
	addEventListener("pageshow", () => { // also when somebody comes back
		for (const b of document.querySelectorAll("form[method=post] [aria-busy]")) again(b.form, b);
	});
	document.addEventListener("submit", (e) => {
		if (e.defaultPrevented || e.target.method !== "post") return;
		if (sent.has(e.target)) return e.preventDefault();
		sent.add(e.target);
		e.submitter?.setAttribute("aria-busy", "true");
		setTimeout(() => again(e.target, e.submitter), 5000); // the answer did not come
	});

	// A button copies its text, or that of an element, and says so for a moment.
	const copy = async (b) => {
		await navigator.clipboard?.writeText(b.dataset.copy ?? $(b.dataset.copyOf)?.textContent ?? "");
		if (!b.dataset.copied || b.dataset.was) return;
		b.dataset.was = b.textContent;
		b.textContent = b.dataset.copied;
		setTimeout(() => { b.textContent = b.dataset.was; delete b.dataset.was; }, 1500);
	};

	// Rows that are selected say how many they are, and let a form act on them.
	const count = () => {
		const boxes = [...document.querySelectorAll("[data-select]")];
		const n = boxes.filter((b) => b.checked).length;
		for (const e of document.querySelectorAll("[data-selected]")) e.textContent = String(n);
		for (const e of document.querySelectorAll("[data-needs-selection]")) e.disabled = n === 0;
		const all = document.querySelector("[data-select-all]");
		if (all) { all.checked = n > 0 && n === boxes.length; all.indeterminate = n > 0 && n < boxes.length; }
	};
	document.addEventListener("change", (e) => {
		if (e.target.matches("[data-select-all]")) {
			for (const b of document.querySelectorAll("[data-select]")) b.checked = e.target.checked;
		}
		if (e.target.matches("[data-submit]")) e.target.form.requestSubmit();
		count();
	});
	document.addEventListener("DOMContentLoaded", count);
	document.addEventListener("htmx:after:swap", count);

	// The keyboard.
	let pending = "", chosen = "";
	const rows = () => [...document.querySelectorAll("main tbody tr:has(a, input), main .grp:has(.h a), main .job:has(.h a)")];
	const move = (by) => {
		const all = rows(), at = all.findIndex((r) => r.classList.contains("at"));
		const next = all[Math.min(Math.max(at + by, 0), all.length - 1)];
		for (const r of all) r.classList.toggle("at", r === next);
		chosen = next?.id ?? "";
		next?.scrollIntoView({block: "nearest"});
	};
	document.addEventListener("htmx:after:swap", () => $(chosen)?.classList.add("at")); // rows with an id stay chosen
	document.addEventListener("keydown", (e) => {
		if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return;
		if (e.target.matches("input:not([type=checkbox]), select, textarea")) {
			if (e.key === "Escape") e.target.blur();
			return;
		}
		const at = document.querySelector("main .at");
		if (pending === "g") {
			pending = "";
			const to = document.querySelector(`#menu [data-key="${CSS.escape(e.key)}"]`);
			if (to) { e.preventDefault(); location.href = to.href; }
			return;
		}
		switch (e.key) {
		case "/": e.preventDefault(); $("search")?.focus(); break;
		case "?": e.preventDefault(); $("help")?.showModal(); break;
		case "g": pending = "g"; setTimeout(() => { pending = ""; }, 1500); break;
		case "j": move(1); break;
		case "k": move(-1); break;
		case "Enter": if (at && e.target === document.body) at.querySelector("a")?.click(); break;
		case "x": at?.querySelector("[data-select]")?.click(); break;
		}
	});
})();
