import {readFile} from 'node:fs/promises';
import {relative, sep} from 'node:path';
import {ROOT} from './bundle.ts';

/**
 * Rooms, and the part of their lines that units and parts run at least, in percent. Much of the service is run with databases,
 * chains and killed processes, whose lines are not counted.
 */
export const MIN_LINES = {contract: 95, trading: 90, service: 75, monitor: 90} as const;
export const HELD_ROOMS = Object.keys(MIN_LINES) as (keyof typeof MIN_LINES)[];

/** The projects of test/vitest.config.ts that run with their lines counted; the others would run several times as long. */
export const COUNTED_PROJECTS = ['unit', 'mocked', 'parts'];

/** The part of a coverage summary that is read here: figures by file, and `total`. */
type Summary = Readonly<Record<string, {readonly lines: {readonly total: number; readonly covered: number}}>>;

/**
 * A small table of the held rooms: lines that a test has run, of all.
 * @param path the `coverage-summary.json` of a run
 */
export async function roomTable(path: string): Promise<string> {
	const summary: Summary = JSON.parse(await readFile(path, 'utf8'));
	const rows = HELD_ROOMS.map(room => {
		const start = `source${sep}${room}${sep}`;
		const files = Object.entries(summary).filter(([file]) => relative(ROOT, file).startsWith(start));
		const total = files.reduce((sum, [, {lines}]) => sum + lines.total, 0);
		const covered = files.reduce((sum, [, {lines}]) => sum + lines.covered, 0);
		const share = total === 0 ? 0 : (100 * covered) / total;
		return `${room.padEnd(10)}${share.toFixed(1).padStart(6)} %${`${covered} of ${total} lines`.padStart(22)}`;
	});
	return ['Lines that the tests ran, those in workers and in other processes not counted:', ...rows].join('\n');
}
