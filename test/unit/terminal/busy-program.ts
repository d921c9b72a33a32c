/* A screen on which everything changes all the time, for slow-terminal.test.ts. Its first row says when it was made, and which keys came. */

import {LiveScreen} from '../../../source/terminal/live-screen.ts';
import {listenToKeys} from '../../../source/ui/keymap/listen-to-keys.ts';

const screen = new LiveScreen({stdout: process.stdout, depth: 'truecolor', isPaced: true});
let keys = '';
listenToKeys(process.stdin, screen.pacer, event => {
	keys += event.kind === 'key' ? event.name : `(${event.kind})`;
});
screen.enter();
let count = 0;
setInterval(() => {
	count++;
	const lines = [`at ${Date.now()} delayed ${screen.counters.delayed} keys ${keys}.`];
	for (let y = 1; y < screen.rows; y++) lines.push(`${y} `.padEnd(screen.columns, String((count + y) % 10)));
	screen.write(lines.join('\n'));
}, 50);
