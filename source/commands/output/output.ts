import {once} from 'node:events';
import type {Flags} from '../line/flags.ts';

/** Output formats: text, one JSON document, one line of JSON for each item, comma separated values. */
export const FORMATS = ['table', 'json', 'jsonl', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** The format of `--format` or `--json` (default `table`). */
export function formatOf(flags: Flags): Format {
	const named = FORMATS.find(format => format === flags.text('format'));
	return named ?? (flags.has('json') ? 'json' : 'table');
}

/** Writes to stdout, and waits while its buffer is full. */
export async function print(text: string): Promise<void> {
	if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** A JSON document as text: indented on a terminal, on one line for programs. */
export function jsonText(value: unknown): string {
	return `${JSON.stringify(value, null, process.stdout.isTTY ? 2 : undefined)}\n`;
}

/** The width of the terminal in cells; undefined when stdout is not a terminal: then nothing is cut. */
export function screenWidth(): number | undefined {
	return process.stdout.isTTY ? process.stdout.columns : undefined;
}
