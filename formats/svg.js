/*
 * Zoom, search and the line of details. What is shown stands in the address
 * behind "#": zoom=NUMBER of a frame, find=REGULAR EXPRESSION. So it can be
 * sent to somebody, and the browser's Back goes back.
 */
"use strict";
(() => {
	const MARGIN = 3, LABEL_FROM = 3, BASELINE = 13, CONTROLS = 390;
	const svg = document.currentScript.ownerSVGElement;
	const left = +svg.dataset.left, cell = +svg.dataset.cell;
	const graph = svg.querySelector("#frames");
	const details = svg.querySelector("#details");
	const hint = "Click: zoom   /: find   Esc: back to the whole";
	let width = svg.viewBox.baseVal.width - 2 * left;

	const frames = Array.from(graph.children, g => {
		const lines = g.querySelector("title").textContent.split("\n");
		const rect = g.querySelector("rect");

		return {
			g, rect, text: g.querySelector("text"),
			name: lines[0], story: lines.join("   "),
			sign: g.dataset.sign || "", x: +g.dataset.x,
			w: +g.dataset.w, y: +rect.getAttribute("y"),
		};
	});
	const index = new Map(frames.map((f, i) => [f.g, i]));
	const all = frames[0];

	/* --- the address */

	const asked = () => new URLSearchParams(location.hash.slice(1));

	function ask(change, isStep) {
		const now = asked();

		for (const [key, value] of Object.entries(change))
			if (value)
				now.set(key, value);
			else
				now.delete(key);
		if (isStep)
			location.hash = now;
		else
			location.replace("#" + now);
	}

	/* --- boxes and what stands in them */

	function make(name, parent, attributes) {
		const made = document.createElementNS(parent.namespaceURI, name);

		for (const [key, value] of Object.entries(attributes))
			made.setAttribute(key, value);
		return parent.appendChild(made);
	}

	/* No wider than C has it: svg_text.c. */
	function fit(text, cells) {
		const characters = Array.from(text);
		let used = 0, end = 0;

		const wide = c => c < "\u1100" ? 1 : 2;
		for (const c of characters)
			used += wide(c);
		if (used <= cells)
			return text;
		used = 1;
		while (used + wide(characters[end]) <= cells)
			used += wide(characters[end++]);
		return characters.slice(0, end).join("") + "\u2026";
	}

	function label(frame, room) {
		const cells = Math.floor((room - 2 * MARGIN) / cell);
		const sign = frame.sign.length;

		if (cells < LABEL_FROM)
			return "";
		if (!sign || sign > cells)
			return fit(frame.name, cells);
		if (cells - sign <= LABEL_FROM)
			return frame.sign;
		return frame.sign + " " + fit(frame.name, cells - sign - 1);
	}

	function place(frame, from, to) {
		const text = label(frame, to - from);

		frame.rect.setAttribute("x", from);
		frame.rect.setAttribute("width", to - from);
		if (text && !frame.text)
			frame.text = make("text", frame.g,
					  { y: frame.y + BASELINE });
		if (frame.text) {
			frame.text.setAttribute("x", from + MARGIN);
			frame.text.textContent = text;
		}
	}

	/* --- zoom */

	function zoom(to) {
		const scale = to.w ? width / to.w : 0, end = to.x + to.w;
		const edge = x => left + Math.round((x - to.x) * scale * 100) / 100;

		for (const f of frames) {
			const isIn = f.y >= to.y && f.x >= to.x && f.x < end;
			const isAbove = f.y < to.y && f.x <= to.x &&
					f.x + f.w >= end;

			f.g.classList.toggle("above", isAbove);
			if (isAbove || f === to)
				place(f, left, left + width);
			else if (isIn)
				place(f, edge(f.x), edge(f.x + f.w));
			if (isAbove || isIn)
				f.g.removeAttribute("display");
			else
				f.g.setAttribute("display", "none");
		}
	}

	/* --- search */

	/* A capital makes case matter, as on the screen. */
	function compile(pattern) {
		try {
			return pattern && new RegExp(pattern,
				/[A-Z]/.test(pattern.replace(/\\./g, "")) ?
				"" : "i");
		} catch (error) {
			return null;
		}
	}

	/* What calls itself counts once: a hit's callees lie within it. */
	function find(pattern) {
		const regex = compile(pattern);
		let end = 0, sum = 0, count = 0;

		for (const f of frames) {
			const isHit = !!regex && f !== all && regex.test(f.name);

			f.g.classList.toggle("hit", isHit);
			count += isHit;
			if (!isHit || f.x < end)
				continue;
			sum += f.w;
			end = f.x + f.w;
		}
		graph.classList.toggle("found", count > 0);
		if (!pattern)
			return hint;
		if (!regex)
			return "no regular expression: " + pattern;
		return `found: ${(all.w ? 100 * sum / all.w : 0).toFixed(2)} ` +
			`% of all, in ${count} frame${count === 1 ? "" : "s"}`;
	}

	/* --- controls */

	const box = make("foreignObject", svg,
			 { y: 4, width: CONTROLS - left, height: 26 });
	const html = { namespaceURI: "http://www.w3.org/1999/xhtml",
		       appendChild: child => box.appendChild(child) };
	const input = make("input", html, { id: "find", type: "search",
		placeholder: "find: a regular expression", spellcheck: false });
	const reset = make("button", html, { id: "reset" });
	reset.textContent = "Reset";
	let said = hint;

	/* As wide as the window, if the file is all there is in it. */
	function measure() {
		const height = svg.viewBox.baseVal.height;
		const bar = height > innerHeight ? 16 : 0;

		if (svg !== document.documentElement)
			return;
		const page = Math.max(innerWidth - bar, 2 * CONTROLS);
		svg.setAttribute("viewBox", `0 0 ${page} ${height}`);
		svg.setAttribute("width", page);
		width = page - 2 * left;
	}

	function show() {
		const wish = asked(), pattern = wish.get("find") || "";

		measure();
		box.setAttribute("x", width + 2 * left - CONTROLS);
		if (document.activeElement !== input)
			input.value = pattern;
		zoom(frames[+wish.get("zoom")] || all);
		said = find(pattern);
		details.textContent = said;
	}

	/* --- what is done */

	const of = event => frames[index.get(event.target.closest("g"))];

	graph.addEventListener("click", event => {
		const frame = of(event);

		if (frame)
			ask({ zoom: frame === all ? 0 : index.get(frame.g) },
			    true);
	});
	graph.addEventListener("pointerover", event => {
		const frame = of(event);

		details.textContent = frame ? frame.story : said;
	});
	graph.addEventListener("pointerleave", () => {
		details.textContent = said;
	});
	input.addEventListener("input", () => ask({ find: input.value }));
	reset.addEventListener("click", () => {
		input.value = "";
		ask({ zoom: 0, find: "" }, true);
	});
	addEventListener("keydown", event => {
		const isFind = event.key === "/" && event.target !== input ||
			       event.key === "f" &&
			       (event.ctrlKey || event.metaKey);

		if (isFind) {
			event.preventDefault();
			input.focus();
			input.select();
		} else if (event.key === "Escape" && asked().get("find")) {
			input.value = "";
			ask({ find: "" });
			input.blur();
		} else if (event.key === "Escape") {
			input.blur();
			ask({ zoom: 0 }, true);
		}
	});
	addEventListener("hashchange", show);
	addEventListener("resize", show);
	show();
})();
