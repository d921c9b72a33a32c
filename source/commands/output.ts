import {once} from 'node:events';
import type {Flags} from './line/flags.ts';

/** How a command prints: for eyes, as one JSON document, as a line of JSON for each item, for a spreadsheet. */
export const FORMATS = ['table', 'json', 'jsonl', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** The format that the flags ask for: `--format`, or `--json`; a table otherwise. */
export function formatOf(flags: Flags): Format {
	const named = FORMATS.find(format => format === flags.text('format'));
	return named ?? (flags.has('json') ? 'json' : 'table');
}

/** Prints, and waits when the reader is slower than we are. */
export async function print(text: string): Promise<void> {
	if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** A JSON document as it is printed: indented for eyes on a terminal, on one line for programs. */
export function jsonText(value: unknown): string {
	return `${JSON.stringify(value, null, process.stdout.isTTY ? 2 : undefined)}\n`;
}

/** The width of the terminal, or undefined when nobody looks: then nothing is cut. */
export function screenWidth(): number | undefined {
	return process.stdout.isTTY ? process.stdout.columns : undefined;
}
