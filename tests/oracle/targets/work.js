// SPDX-License-Identifier: MIT
// work.js - JavaScript: closures, maps, strings, builtins, for ten minutes.
const end = Date.now() + 600000;

function area(n) {
	let total = 0;
	for (let i = 0; i < n; i++) total += i % 7;
	return total;
}

function deep(n) {
	return n === 0 ? area(300) : deep(n - 1) + n;
}

function sorted(n) {
	const words = [];
	for (let i = 0; i < n; i++) words.push(String((i * 37) % n));
	words.sort((a, b) => (a < b ? 1 : -1));
	return new Map(words.map((w) => [w, w.length])).size;
}

let total = 0;
while (Date.now() < end) {
	total += deep(20) + sorted(50);
	total += JSON.stringify({ words: [1, 2, 3] }).replace(/[0-9]/g, "x").length;
}
console.log(total);
