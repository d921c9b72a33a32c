import {setTimeout as sleep} from 'node:timers/promises';
import {fill, press} from '../helpers/money-window.ts';
import {CLI} from '../helpers/program.ts';
import {type Pty, withPty} from '../helpers/pty.ts';
import type {Screen} from '../helpers/screen.ts';
import {svgPicture} from './svg-picture.ts';

/** Pictures of the running program as SVG, by the name of their file. */
export type Pictures = Readonly<Record<string, string>>;

const STILL_CLOCK = new URL('still-clock.ts', import.meta.url).pathname;
const SEED = '7';
/** The clock is moved on so often, a second each time: long enough for figures to have moved. */
const STEPS = 3;
const PATIENCE_MS = 60_000;

/** The columns, and a token opened beside them: of one run, whose clock is moved by hand. */
export function takeMonitorPictures(): Promise<Pictures> {
	const args = ['--import', STILL_CLOCK, CLI, '--seed', SEED];
	return withPty({args, columns: 120, rows: 34}, async pty => {
		await pty.waitFor(/ live simulated.*\n.*NEW \d+\/.*BONDING \d+\/.*BONDED \d+\//, PATIENCE_MS);
		for (let step = 1; step <= STEPS; step++) await tick(pty, step);
		const columns = svgPicture(pty.screen, 'pulsetop: tokens in three columns, new, bonding and bonded');
		pty.type('\tjj\r');
		await pty.waitFor(
			({text}) => text().includes('share, value, profit') && !text().includes('price line'),
			PATIENCE_MS,
		);
		await settled(pty);
		const detail = svgPicture(pty.screen, 'pulsetop: a token opened, with its price line, activity and holders');
		return {'columns.svg': columns, 'detail.svg': detail};
	});
}

/** The review of a transfer: addresses and identifiers are others in each run. */
export function takeBridgePicture(): Promise<Pictures> {
	return withPty({args: [CLI, '--seed', SEED], columns: 104, rows: 50}, async pty => {
		await pty.waitFor(/ live simulated/, PATIENCE_MS);
		pty.type('jb');
		await pty.waitFor(/balance [\d,]+ USDC >/, PATIENCE_MS);
		await press(pty, '\t');
		await fill(pty, '12.5', /amount +12\.5/);
		await press(pty, '\r');
		await pty.waitFor('All checks passed', PATIENCE_MS);
		await press(pty, '');
		return {'bridge.svg': svgPicture(pty.screen, 'pulsetop: the review of a transfer', windowOf(pty.screen))};
	});
}

/** The window that is open on a screen. */
function windowOf(screen: Screen): {left: number; top: number; columns: number; rows: number} {
	const lines = screen.text().split('\n');
	const [top, bottom] = [lines.findIndex(line => line.includes('╔')), lines.findIndex(line => line.includes('╚'))];
	const left = lines[top]!.indexOf('╔');
	return {left, top, columns: lines[top]!.indexOf('╗') - left + 1, rows: bottom - top + 1};
}

/** Moves the clock on, and waits until all that follows is on the screen. */
async function tick(pty: Pty, step: number): Promise<void> {
	process.kill(pty.pid, 'SIGUSR2');
	await pty.waitFor(`12:00:0${step}`, PATIENCE_MS);
	await pty.waitFor(({row}) => [...row(1).matchAll(/ 0s(?= |$)/g)].length === 3, PATIENCE_MS);
	await settled(pty);
}

/** Waits until nothing was written for longer than the program gathers before it draws. */
async function settled(pty: Pty): Promise<void> {
	let written: number;
	do {
		written = pty.bytes().length;
		await sleep(250);
	} while (pty.bytes().length > written);
}
