// browser.mjs - a page of headless Chromium, by its debugging pipe.
//
// The first of two descriptors takes commands, the other gives answers and
// events: JSON, each ended by a NUL.
import { spawn } from "node:child_process";

const DEADLINE_MS = 60000;

export async function openBrowser(command, folder) {
	const child = spawn(command, [
		"--headless", "--no-sandbox", "--disable-gpu",
		`--user-data-dir=${folder}`, "--remote-debugging-pipe",
		"--window-size=1250,600", "about:blank",
	], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
	const ended = new Promise(resolve => child.on("exit", resolve));
	const waiting = new Map(), listeners = [];
	let last = 0, rest = "", session;

	process.on("exit", () => child.kill("SIGKILL"));
	child.stdio[4].setEncoding("utf8").on("data", text => {
		const messages = (rest + text).split("\0");

		rest = messages.pop();
		for (const message of messages.map(JSON.parse)) {
			if (waiting.has(message.id))
				waiting.get(message.id)(message);
			waiting.delete(message.id);
			for (const listener of listeners)
				listener(message);
		}
	});

	async function send(method, params = {}) {
		const id = ++last;
		const answer = new Promise(resolve => waiting.set(id, resolve));

		child.stdio[3].write(JSON.stringify(
			{ id, method, params, sessionId: session }) + "\0");
		const { result, error } = await Promise.race([answer,
			ended.then(() => ({ error: { message: "it ended" } }))]);
		if (error)
			throw new Error(`${method}: ${error.message}`);
		return result;
	}

	// What EXPRESSION is in the page; as JSON has it.
	async function evaluate(expression) {
		const { result, exceptionDetails } =
			await send("Runtime.evaluate",
				   { expression, returnByValue: true });

		if (exceptionDetails)
			throw new Error(`${expression}: ` +
				exceptionDetails.exception.description);
		return result.value;
	}

	// Until EXPRESSION is true in the page.
	async function until(expression) {
		const end = Date.now() + DEADLINE_MS;

		while (!await evaluate(expression)) {
			if (Date.now() > end)
				throw new Error("never true: " + expression);
			await new Promise(resolve => setTimeout(resolve, 20));
		}
	}

	async function mouse(type, x, y) {
		await send("Input.dispatchMouseEvent", { type, x, y,
			button: type === "mouseMoved" ? "none" : "left",
			clickCount: 1 });
	}

	const { targetInfos } = await send("Target.getTargets");
	const target = targetInfos.find(info => info.type === "page");
	session = (await send("Target.attachToTarget", {
		targetId: target.targetId, flatten: true })).sessionId;
	for (const domain of ["Page", "Runtime", "Network"])
		await send(domain + ".enable");

	return {
		send, evaluate, until,
		listen: listener => listeners.push(listener),
		async goto(url) {
			const loaded = new Promise(resolve => listeners.push(
				({ method }) => method === "Page.loadEventFired" &&
						resolve()));

			await send("Page.navigate", { url: "about:blank" });
			await loaded;
			const again = new Promise(resolve => listeners.push(
				({ method }) => method === "Page.loadEventFired" &&
						resolve()));
			await send("Page.navigate", { url });
			await again;
		},
		hover: (x, y) => mouse("mouseMoved", x, y),
		async click(x, y) {
			await mouse("mousePressed", x, y);
			await mouse("mouseReleased", x, y);
		},
		// A key by its name, or a character.
		async press(key) {
			const text = key.length === 1 ? { text: key } : {};

			await send("Input.dispatchKeyEvent",
				   { type: "keyDown", key, ...text });
			await send("Input.dispatchKeyEvent",
				   { type: "keyUp", key });
		},
		type: text => send("Input.insertText", { text }),
		async close() {
			session = undefined;
			await send("Browser.close").catch(() => child.kill());
			await ended;
		},
	};
}
