import {EventEmitter} from 'node:events';
import {describe, expect, test} from 'vitest';
import {LiveScreen} from '../../../source/terminal/live-screen.ts';
import {Picture} from '../../../source/terminal/picture.ts';
import {Emulator} from './emulator.ts';
import {foreignBytes} from './strict-bytes.ts';

/** A terminal that takes what is written only when a test says so. */
class SlowTerminal extends EventEmitter {
	readonly isTTY = true;
	readonly columns = 40;
	readonly rows = 10;
	readonly waiting: Array<{readonly data: string; readonly taken: (() => void) | undefined}> = [];
	maxWaiting = 0;
	all = '';

	get writableLength(): number {
		return this.waiting.reduce((sum, {data}) => sum + data.length, 0);
	}

	write(data: string, taken?: () => void): boolean {
		this.waiting.push({data, taken});
		this.maxWaiting = Math.max(this.maxWaiting, this.writableLength);
		return false;
	}

	/** Takes everything that waits. */
	take(): string {
		const pieces = this.waiting.splice(0);
		for (const {taken} of pieces) taken?.();
		const data = pieces.map(piece => piece.data).join('');
		this.all += data;
		return data;
	}
}

function open(columns = 40, rows = 10) {
	const emulator = new Emulator(columns, rows);
	const screen = new LiveScreen({stdout: emulator, depth: 'truecolor'});
	screen.enter();
	screen.flush();
	return {emulator, screen};
}

async function turn(): Promise<void> {
	await new Promise(resolve => setImmediate(resolve));
}

describe('a flush', () => {
	test('comes once a turn, in one write, after any changes', async () => {
		const {emulator, screen} = open();
		const before = emulator.writes.length;
		screen.write('one');
		screen.write('two');
		screen.setCursor({x: 1, y: 1});
		expect(emulator.writes.length).toBe(before);
		await turn();
		expect(emulator.writes.length).toBe(before + 1);
		await emulator.settled();
		expect(emulator.line(0)).toBe('two');
	});

	test('writes nothing if the frame is the same', async () => {
		const {emulator, screen} = open();
		screen.write('same');
		await turn();
		const {length} = emulator.writes;
		screen.write('same');
		screen.setCursor(undefined);
		await turn();
		expect(emulator.writes.length).toBe(length);
		expect(screen.counters.idle).toBeGreaterThan(0);
	});

	test('is between marks if it is long, and bare if it arrives at once anyway', async () => {
		const {emulator, screen} = open();
		screen.write(`${'x'.repeat(40)}\n`.repeat(9));
		await turn();
		expect(emulator.writes.at(-1)).toMatch(/^\x1B\[\?2026h[\s\S]*\x1B\[\?2026l$/);
		screen.write(`y${'x'.repeat(39)}\n${`${'x'.repeat(40)}\n`.repeat(8)}`);
		await turn();
		expect(emulator.writes.at(-1)).not.toContain('2026');
	});

	test('holds a whole repaint, so that no terminal shows half of it', () => {
		const {emulator, screen} = open(200, 60);
		const {length} = emulator.writes;
		const line = Array.from({length: 200}, (_, x) => (x % 20 === 0 ? `\x1B[38;5;${x}mx` : 'x')).join('');
		screen.write(`${line}\x1B[39m\n`.repeat(60));
		screen.flush();
		const [piece = '', ...more] = emulator.writes.slice(length);
		expect(more).toEqual([]);
		expect(piece.length).toBeGreaterThan(12_000);
		expect(foreignBytes(piece)).toBe('');
	});
});

describe('a slow terminal', () => {
	test('never has more than one piece before it, and gets the newest state next', async () => {
		const terminal = new SlowTerminal();
		const screen = new LiveScreen({stdout: terminal, depth: 'truecolor'});
		screen.enter();
		terminal.take();
		for (let count = 0; count < 1000; count++) {
			screen.write(Array.from({length: 10}, (_, y) => `${y}`.padEnd(39, String(count % 10))).join('\n'));
			screen.flush();
		}
		expect(terminal.maxWaiting).toBeLessThan(1000);
		expect(screen.counters.delayed).toBeGreaterThan(900);
		terminal.take();
		terminal.take();
		const emulator = new Emulator(40, 10);
		emulator.write(terminal.all);
		await emulator.settled();
		expect(emulator.line(3)).toBe('3'.padEnd(39, '9'));
	});
});

describe('the text cursor', () => {
	test('is where it was put, though the picture changes', async () => {
		const {emulator, screen} = open();
		screen.setCursor({x: 5, y: 2});
		screen.write('hello');
		await turn();
		screen.write('hullo');
		await turn();
		await emulator.settled();
		const {cursorX, cursorY} = emulator.terminal.buffer.active;
		expect([cursorX, cursorY]).toEqual([5, 2]);
		expect(emulator.bytes.lastIndexOf('\x1B[?25h')).toBeGreaterThan(emulator.bytes.lastIndexOf('\x1B[?25l'));
		screen.setCursor(undefined);
		await turn();
		expect(emulator.bytes.lastIndexOf('\x1B[?25l')).toBeGreaterThan(emulator.bytes.lastIndexOf('\x1B[?25h'));
	});
});

test('a frame that a resize cut is ended, however short the next one is', () => {
	const picture = new Picture(200, 60, 'none');
	picture.drawFrame(Array.from({length: 60}, (_, y) => `${y} `.padEnd(200, String(y % 10))).join('\n'));
	const begun = picture.nextPiece(1024);
	expect(begun).toContain('\x1B[?2026h');
	expect(begun).not.toContain('\x1B[?2026l');
	picture.resize(18, 10);
	picture.drawFrame('too small');
	expect(picture.nextPiece(10_000)).toContain('\x1B[?2026l');
});

test('modes that another program left on are off once the terminal is taken', async () => {
	const {emulator, screen} = open();
	screen.restore();
	emulator.terminal.write('\x1B[?1h\x1B=\x1B[?1003h\x1B[?1016h\x1B[?1004h');
	await emulator.settled();
	expect(emulator.terminal.modes).toMatchObject({
		applicationCursorKeysMode: true,
		applicationKeypadMode: true,
		mouseTrackingMode: 'any',
		sendFocusMode: true,
	});
	screen.enter();
	await emulator.settled();
	expect(emulator.terminal.modes).toMatchObject({
		applicationCursorKeysMode: false,
		applicationKeypadMode: false,
		bracketedPasteMode: true,
		mouseTrackingMode: 'none',
		sendFocusMode: false,
	});
});

describe('what Ink requests besides frames', () => {
	test('modes are not set, and a barrier is answered after the flush', async () => {
		const {emulator, screen} = open();
		screen.write('frame');
		screen.write('\x1B[?25h');
		screen.write('\x1B[?2004l');
		const {length} = emulator.bytes;
		await new Promise<void>(resolve => {
			screen.write('', resolve);
		});
		expect(emulator.bytes.slice(length)).not.toMatch(/\?25h|\?2004l/);
		await emulator.settled();
		expect(emulator.line(0)).toBe('frame');
	});

	test('a link in its text is no cell', async () => {
		const {emulator, screen} = open();
		screen.write('\x1B]8;;https://example.com\x1B\\link\x1B]8;;\x1B\\ end');
		await turn();
		await emulator.settled();
		expect(emulator.line(0)).toBe('link end');
		expect(emulator.bytes).not.toContain('\x1B]');
	});
});

describe('lifecycle', () => {
	test('enter and restore may be called twice, and nothing is written before, between or after', async () => {
		const emulator = new Emulator(40, 10);
		const screen = new LiveScreen({stdout: emulator, depth: 'truecolor'});
		screen.write('early');
		await turn();
		expect(emulator.bytes).toBe('');
		screen.enter();
		screen.enter();
		await turn();
		expect(emulator.bytes.split('\x1B[?1049h').length).toBe(2);
		await emulator.settled();
		expect(emulator.line(0)).toBe('early');
		screen.restore();
		screen.restore();
		const {bytes} = emulator;
		screen.write('late');
		screen.invalidate('any');
		await turn();
		expect(emulator.bytes).toBe(bytes);
		screen.enter();
		await turn();
		await emulator.settled();
		expect(emulator.line(0)).toBe('late');
	});

	test('a resize is reported to Ink and repaints everything', async () => {
		const {emulator, screen} = open();
		screen.write('before');
		await turn();
		screen.on('resize', () => screen.write(`${screen.columns}x${screen.rows}`));
		emulator.resize(30, 8);
		await turn();
		await emulator.settled();
		expect(emulator.text().trim()).toBe('30x8');
	});

	test('a closed terminal is reported once, and not written to', async () => {
		const {emulator, screen} = open();
		const hangups: unknown[] = [];
		screen.on('hangup', error => hangups.push(error));
		emulator.emit('error', Object.assign(new Error('write EPIPE'), {code: 'EPIPE'}));
		emulator.emit('close');
		const {bytes} = emulator;
		screen.write('more');
		await turn();
		screen.restore();
		expect(hangups.length).toBe(1);
		expect(emulator.bytes).toBe(bytes);
	});

	test('what is sent besides the picture goes out between frames, in order', async () => {
		const {emulator, screen} = open();
		screen.send('\x07');
		screen.send('\x1B]9;hello\x07');
		screen.write('frame');
		await turn();
		expect(emulator.bytes).toContain('\x07\x1B]9;hello\x07');
		await emulator.settled();
		expect(emulator.line(0)).toBe('frame');
	});

	test('tables that grew too large start again, and the picture stays right', async () => {
		const {emulator, screen} = open();
		for (let count = 0; count < 300; count++) {
			const clusters = Array.from({length: 200}, (_, at) => String.fromCodePoint(0x20000 + count * 200 + at)).join('');
			screen.write(`${count}\n${clusters}`);
			screen.flush();
		}
		await emulator.settled();
		expect(emulator.line(0)).toBe('299');
		expect(emulator.cells(1)[0]!.text).toBe(String.fromCodePoint(0x20000 + 299 * 200));
	});
});
