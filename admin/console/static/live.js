// What changes on a page while somebody looks at it.
(() => {
	"use strict";
	const html = document.documentElement;
	const $ = (id) => document.getElementById(id);
	const region = () => $("region");

	// Live updates can be stopped; the choice lasts as long as the tab.
	let live = sessionStorage.getItem("live") !== "off", lost = false;
	const showLive = () => {
		html.dataset.live = !live ? "off" : lost ? "lost" : "on";
		const button = $("live-switch"), state = $("live-state");
		if (!button) return;
		button.textContent = live ? button.dataset.yes : button.dataset.no;
		button.setAttribute("aria-pressed", String(!live));
		state.textContent = !live ? state.dataset.no : lost ? state.dataset.lost : state.dataset.yes;
		showAge();
		$("lost").hidden = !live || !lost;
	};

	// What a page shows is as old as the last message that it showed, or as the page.
	// Screen readers hear the time of it once, and not its age each second.
	let shown = Date.now(), came = shown;
	const units = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
	const showAge = () => {
		if (!lost) return;
		const at = $("lost-at"), age = $("lost-age"), seconds = Math.max(Math.round((Date.now() - shown) / 1000), 1);
		const text = at.dataset.text.replace("%s", new Date(shown).toISOString().slice(0, 19).replace("T", " "));
		if (at.textContent !== text) at.textContent = text;
		const [unit, length] = units.find(([, length]) => seconds >= length);
		age.textContent = "· " + age.dataset.text.replace("%s", Math.floor(seconds / length) + " " + age.dataset[unit]);
	};
	setInterval(showAge, 1000);
	showLive();
	$("live-switch")?.addEventListener("click", () => {
		live = !live;
		sessionStorage.setItem("live", live ? "on" : "off");
		if (live) return location.reload();
		showLive();
		region()?._htmx?.sse?.reader?.cancel();
	});
	document.addEventListener("htmx:sse:before:connection", (e) => { if (!live) e.preventDefault(); }); // the server has less to do

	// Somebody uses the page: rows must not move under their hands. A pointer that
	// rests on the page is one that is about to click.
	let used = -Infinity;
	for (const kind of ["pointermove", "pointerdown", "keydown", "wheel", "touchmove"]) {
		addEventListener(kind, () => { used = performance.now(); }, {capture: true, passive: true});
	}
	const mouse = matchMedia("(hover: hover)");
	const inUse = () => performance.now() - used < (mouse.matches && region()?.matches(":hover") ? 30000 : 5000);
	// A menu or a field that somebody uses must not change at all.
	const busy = () => !live || document.hidden || $("dialog")?.open || document.querySelector("[data-select]:checked") !== null ||
		(region()?.contains(document.activeElement) && document.activeElement.matches("input, select, textarea"));

	// steady puts the rows of what has come into the order of the page, without those
	// that it does not have yet, and returns how many differ.
	const steady = (text) => {
		const next = document.createElement("template");
		next.innerHTML = text;
		let differ = 0;
		for (const list of region().querySelectorAll("[data-rows]")) {
			const to = next.content.getElementById(list.id);
			if (!to) continue;
			const now = [...list.children], come = [...to.children];
			const missing = come.filter((row) => !now.some((r) => r.id === row.id)).length;
			const gone = now.filter((row) => !come.some((r) => r.id === row.id)).length;
			const moved = !missing && !gone && now.some((row, i) => row.id !== come[i].id);
			if (!missing && !gone && !moved) continue;
			differ += Math.max(missing, gone, 1);
			to.replaceChildren(...now.map((row) => come.find((r) => r.id === row.id) ?? row.cloneNode(true)));
		}
		return {text: differ ? next.innerHTML : text, differ};
	};

	let latest = null, behind = 0, stream = null; // the last message, and how many of its rows are not shown
	const showNews = () => {
		const button = $("news");
		if (!button) return;
		button.classList.toggle("on", behind > 0);
		$("news-count").textContent = String(Math.max(behind, 0));
	};
	document.addEventListener("htmx:sse:before:message", (e) => {
		latest = e.detail.message.data;
		came = Date.now();
		if (busy()) {
			behind = -1; // it has to be shown later
			return e.preventDefault();
		}
		shown = came;
		if (!inUse()) {
			behind = 0;
			return showNews();
		}
		const kept = steady(latest);
		e.detail.message.data = kept.text;
		behind = kept.differ;
		showNews();
	});
	document.addEventListener("htmx:before:swap", (e) => {
		if (e.detail.ctx.sourceElement === region()) stream = e.detail.ctx;
	});
	const catchUp = () => {
		if (!behind || !stream || busy()) return;
		behind = 0;
		shown = came;
		showNews();
		htmx.swap({...stream, text: latest});
	};
	$("news")?.addEventListener("click", catchUp);
	setInterval(() => { if (!inUse()) catchUp(); }, 1000);

	// A server that does not answer is asked again by the extension, except for the
	// first time.
	const setLost = (yes) => { lost = yes; showLive(); };
	document.addEventListener("htmx:sse:after:connection", () => setLost(false));
	document.addEventListener("htmx:sse:error", (e) => {
		if (e.detail.status === 401) return location.reload(); // which leads to the login page
		if (!document.hidden) setLost(true);
	});
	const again = () => setTimeout(() => htmx.ajax("GET", region().getAttribute("hx-sse:connect"), {source: region()}), 5000);
	document.addEventListener("htmx:after:request", (e) => {
		const ctx = e.detail.ctx;
		if (ctx.sourceElement !== region() || ctx.response.status < 400 || ctx.hx?.redirect) return;
		e.preventDefault(); // what a proxy says is no part of this page
		setLost(true);
		again();
	});
	document.addEventListener("htmx:error", (e) => {
		if (!e.detail.ctx || e.detail.ctx.sourceElement !== region()) return;
		setLost(true);
		again();
	});
})();
