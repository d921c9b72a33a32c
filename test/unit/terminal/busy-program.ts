/* A screen on which everything changes all the time, for slow-terminal.test.ts. Its first row tells the time it was made. */
import {LiveScreen} from '../../../source/terminal/live-screen.ts';

const screen = new LiveScreen({stdout: process.stdout, depth: 'truecolor'});
// A frame of Ink's, as far as the screen can tell: text that changes.
screen.enter();
let count = 0;
const timer = setInterval(() => {
	count++;
	const lines = [`at ${Date.now()} held ${screen.counters.held}`];
	for (let y = 1; y < screen.rows; y++) lines.push(`${y} `.padEnd(screen.columns, String((count + y) % 10)));
	screen.write(lines.join('\n'));
}, 50);
process.on('SIGTERM', () => {
	clearInterval(timer);
	screen.restore();
	process.exit(0);
});
