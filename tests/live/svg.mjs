// svg.mjs - an SVG file in Chromium: is every frame of the folded file there,
// as wide as its count; what do a click, a search and Esc do.
//
//	node svg.mjs CHROMIUM FOLDER GRAPH.svg GRAPH.folded DIFF.svg
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { openBrowser } from "./browser.mjs";

const [chromium, folder, graph, folded, difference] = process.argv.slice(2);
const browser = await openBrowser(chromium, folder);
const { evaluate, until } = browser;
const requests = [], faults = [];

browser.listen(({ method, params }) => {
	if (method === "Network.requestWillBeSent")
		requests.push(params.request.url);
	if (method === "Runtime.exceptionThrown")
		faults.push(params.exceptionDetails.exception.description);
});

// --- what the folded file says

const stacks = readFileSync(folded, "utf8").split("\n")
	.filter(line => line && !line.startsWith("#"))
	.map(line => {
		const end = line.lastIndexOf(" ");
		const path = line.slice(0, end).split(";");

		return { count: +line.slice(end + 1), path: path.map(
			name => name.replace(/_\[[kij]\]$/, "")) };
	});
const total = stacks.reduce((sum, stack) => sum + stack.count, 0);
const widths = new Map();	// by path

for (const { path, count } of stacks)
	for (let i = 0; i <= path.length; i++) {
		const key = path.slice(0, i).join(";");

		widths.set(key, (widths.get(key) || 0) + count);
	}

// --- what the page has

// The frames that can be seen, with the paths that their places make.
async function frames() {
	const found = await evaluate(`
		Array.from(document.querySelectorAll("#frames > g"), g => {
			const rect = g.querySelector("rect");
			const text = g.querySelector("text");
			return {
				title: g.querySelector("title").textContent,
				style: g.getAttribute("class"),
				isHidden: g.getAttribute("display") === "none",
				weight: +g.dataset.w, left: +g.dataset.x,
				sign: g.dataset.sign || "",
				x: +rect.getAttribute("x"),
				y: +rect.getAttribute("y"),
				width: +rect.getAttribute("width"),
				text: text ? text.textContent : "",
				end: text && text.textContent ?
					+text.getAttribute("x") +
					text.getComputedTextLength() : 0,
			};
		})`);
	const open = [];

	for (const frame of found) {
		const depth = (frame.y - found[0].y) / 18;

		frame.name = frame.title.split("\n")[0];
		open.length = depth;
		open.push(frame.name);
		frame.path = open.slice(1).join(";");
	}
	return found;
}

const near = (a, b, what) =>
	assert.ok(Math.abs(a - b) <= 0.02, `${what}: ${a}, not ${b}`);

function checkTexts(all) {
	let count = 0;

	for (const frame of all) {
		if (!frame.text || frame.isHidden)
			continue;
		assert.ok(frame.end <= frame.x + frame.width,
			  `"${frame.text}" leaves its frame`);
		count++;
	}
	assert.ok(count > 3, "hardly a frame has a name in it");
}

async function middle(index) {
	return evaluate(`(() => {
		const box = document.querySelectorAll("#frames > g rect")[${index}]
			.getBoundingClientRect();
		return [box.x + box.width / 2, box.y + box.height / 2];
	})()`);
}

const details = () =>
	evaluate(`document.querySelector("#details").textContent`);

// --- the graph

await browser.goto(pathToFileURL(graph).href);
let all = await frames();
const paths = new Map(all.map((frame, i) => [frame.path, i]));

assert.deepEqual([...paths.keys()].sort(), [...widths.keys()].sort(),
		 "its frames are those of the folded file");
for (const frame of all) {
	assert.equal(frame.weight, widths.get(frame.path), frame.path);
	near(frame.width, all[0].width * frame.weight / total, frame.path);
	near(frame.x, all[0].x + all[0].width * frame.left / total,
	     frame.path);
}
checkTexts(all);

const wanted = "worker;main;serve";
const zoomed = paths.get(wanted);

await browser.hover(...await middle(zoomed));
await until(`document.querySelector("#details").textContent
	.startsWith("serve   ")`);
assert.match(await details(), new RegExp(`${widths.get(wanted)} samples`));

await browser.click(...await middle(zoomed));
await until(`location.hash === "#zoom=${zoomed}"`);
await until(`document.querySelectorAll("#frames > .above").length === 3`);
all = await frames();
for (const frame of all) {
	const isIn = (frame.path + ";").startsWith(wanted + ";");
	const isAbove = !isIn && (wanted + ";").startsWith(frame.path + ";");

	assert.equal(frame.isHidden, !isIn && !isAbove && frame.path !== "",
		     "zoomed: " + frame.path);
	if (isAbove)
		assert.equal(frame.width, all[0].width, frame.path);
	if (isIn)
		near(frame.width, all[0].width * frame.weight /
		     widths.get(wanted), "zoomed: " + frame.path);
}
checkTexts(all);

// What calls itself counts once, and case matters only if there is a capital.
async function search(pattern) {
	await browser.press("/");
	await until(`document.activeElement.id === "find"`);
	await browser.type(pattern);
	await until(`document.querySelector("#details").textContent
		.startsWith("found")`);
	return details();
}

const share = regex => {
	const hits = [...paths.keys()].filter(path =>
		regex.test(path.split(";").pop())).length;
	let sum = 0;

	for (const { path, count } of stacks)
		if (path.some(name => regex.test(name)))
			sum += count;
	return `found: ${(100 * sum / total).toFixed(2)} % of all, in ` +
		`${hits} frame${hits === 1 ? "" : "s"}`;
};

assert.equal(await search("^MARK$|append|foo"), share(/foo|^MARK$|append/));
await browser.press("Escape");
await until(`!location.hash.includes("find")`);
assert.equal(await search("^mark$|append|foo"), share(/^mark$|append|foo/i));
all = await frames();
for (const frame of all)
	assert.equal(/\bhit\b/.test(frame.style),
		     /^mark$|append|foo/i.test(frame.name), frame.path);

const state = await evaluate("location.hash");
await browser.press("Escape");
await until(`!document.querySelector("#frames .hit")`);
assert.equal(await evaluate("location.hash"), `#zoom=${zoomed}`,
	     "Esc leaves a search first");
await browser.press("Escape");
await until(`!document.querySelector("#frames > [display]")`);
all = await frames();
near(all[zoomed].width, all[0].width * widths.get(wanted) / total, "Esc");

// The address is the state; what is no expression is said.
await browser.goto(pathToFileURL(graph).href + state);
all = await frames();
assert.equal(all[zoomed].width, all[0].width, "zoom in the address");
assert.equal(await details(), share(/^mark$|append|foo/i));
await browser.goto(pathToFileURL(graph).href + "#find=(");
assert.equal(await details(), "no regular expression: (");
await evaluate(`document.querySelector("#reset").click()`);
await until(`location.hash === ""`);
await until(`document.querySelector("#details").textContent
	.startsWith("Click")`);

// Colours are those of the themes.
for (const [scheme, theme] of [["light", "light"], ["dark", "dusk"]]) {
	const text = readFileSync(`themes/${theme}.theme`, "utf8");

	await browser.send("Emulation.setEmulatedMedia", { features: [
		{ name: "prefers-color-scheme", value: scheme }] });
	for (const style of ["program-2", "kernel-1", "thread-3"]) {
		const row = text.match(new RegExp(
			`^${style} +#(\\w+)\\S* +#(\\w+)`, "m"));
		const colours = await evaluate(`["text", "rect"].map(part =>
			getComputedStyle(document.querySelector(
				"#frames > .${style} " + part)).fill)`);

		assert.deepEqual(colours, row.slice(1, 3).map(hex =>
			`rgb(${hex.match(/../g).map(part =>
				parseInt(part, 16)).join(", ")})`),
			`${style} of ${scheme}`);
	}
}

// --- a difference

await browser.goto(pathToFileURL(difference).href);
all = await frames();
checkTexts(all);
for (const [name, style, sign] of [["tcp_sendmsg", "diff-more-2", "+9.0"],
	["append", "diff-less-2", "-7.0"], ["memcmp", "diff-new", "new"],
	["main", "diff-same", ""]]) {
	const frame = all.find(one => one.name === name);

	assert.deepEqual([frame.style.trim(), frame.sign], [style, sign], name);
	assert.ok(frame.text.startsWith(sign), frame.text);
}
await browser.click(...await middle(all.findIndex(
	frame => frame.name === "append")));
await until(`document.querySelectorAll("#frames > .above").length > 3`);
assert.ok((await frames()).find(frame => frame.name === "append").text
	.startsWith("-7.0 append"));

await browser.close();
assert.deepEqual(faults, [], "faults of the script");
assert.deepEqual(requests.filter(url => !url.startsWith("file:") &&
	url !== "about:blank"), [], "nothing is fetched");
