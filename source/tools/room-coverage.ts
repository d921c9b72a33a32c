import {readFile} from 'node:fs/promises';
import {relative, sep} from 'node:path';
import {ROOT} from './bundle.ts';

/** Rooms whose lines are held to a share by the tests; the share stands in test/vitest.config.ts. */
export const HELD_ROOMS = ['contract', 'trading', 'service', 'monitor'] as const;

/** The projects of test/vitest.config.ts that run with their lines counted; the others gain nothing by that. */
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
