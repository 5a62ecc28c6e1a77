// Dialogs: what is in them comes from the server.
(() => {
	"use strict";
	const $ = (id) => document.getElementById(id);
	const dialog = $("dialog"), content = $("dialog-content");
	if (!dialog) return;

	let asked = null, soon = 0; // the request that the dialog waits for
	const mine = (e) => {
		const target = e.detail.ctx?.target;
		return target === "#dialog-content" || target === content;
	};
	const open = () => {
		if (!dialog.open) dialog.showModal();
		dialog.querySelector("[autofocus], button, input")?.focus();
	};
	const show = (name) => {
		content.replaceChildren($(name).content.cloneNode(true));
		open();
	};
	const over = (ctx) => {
		clearTimeout(soon);
		ctx.sourceElement?.removeAttribute("aria-busy");
	};

	// What goes into a dialog has addresses that are relative to this page.
	document.addEventListener("htmx:config:request", (e) => {
		e.detail.ctx.request.headers["Outbox-Root"] = document.body.dataset.root;
	});
	document.addEventListener("htmx:before:request", (e) => {
		if (!mine(e)) return;
		clearTimeout(soon);
		asked = e.detail.ctx;
		asked.sourceElement?.setAttribute("aria-busy", "true");
		soon = setTimeout(() => show("dialog-loading"), 150); // most answers come sooner
	});
	document.addEventListener("htmx:after:request", (e) => {
		if (!mine(e)) return;
		const ctx = e.detail.ctx;
		over(ctx);
		if (ctx !== asked) return e.preventDefault(); // somebody did not wait for it
		if (!ctx.hx?.redirect && !ctx.text.includes('id="dialog-title"')) { // a proxy says something
			e.preventDefault();
			show("dialog-failed");
		}
	});
	document.addEventListener("htmx:error", (e) => {
		if (!mine(e)) return;
		over(e.detail.ctx);
		if (e.detail.ctx === asked) show("dialog-failed");
	});
	document.addEventListener("htmx:after:swap", (e) => {
		if (mine(e)) open();
	});
	dialog.addEventListener("close", () => {
		const left = asked;
		asked = null;
		if (left) over(left);
		left?.request.abort(); // or the next one would wait for it
		content.replaceChildren();
	});
	document.addEventListener("click", (e) => {
		if (e.target === dialog) dialog.close(); // outside of its content
		if (e.target.matches("[data-close]")) { e.preventDefault(); e.target.closest("dialog").close(); }
		if (e.target.matches("[data-again]")) {
			const {sourceElement: from, sourceEvent: event} = asked;
			if (from.matches("form")) from.requestSubmit(event?.submitter);
			else from.click();
		}
	});
})();
