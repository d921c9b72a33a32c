import {mkdir, readFile, rename, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {type MonitorState, VIEWS, type ViewName} from './state.ts';

/** What a person chose that should still hold tomorrow. */
export interface Choices {
	readonly pins: ReadonlyMap<string, ViewName>;
	readonly hidden: ReadonlyMap<string, string>;
	readonly theme?: string;
}

export const NO_CHOICES: Choices = {pins: new Map(), hidden: new Map()};

/** The most that is kept of each, the newest: a hidden token is gone within days anyway. */
const MAX_KEPT = 500;

function fileIn(dataDir: string): string {
	return join(dataDir, 'choices.json');
}

/** Reads the choices of last time. A file that can't be read counts as none: it holds comfort, not money. */
export async function loadChoices(dataDir: string): Promise<Choices> {
	try {
		const saved = JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as {
			pins?: unknown;
			hidden?: unknown;
			theme?: unknown;
		};
		const pins = pairs(saved.pins).filter((pair): pair is [string, ViewName] =>
			(VIEWS as readonly string[]).includes(pair[1]),
		);
		return {
			pins: new Map(pins),
			hidden: new Map(pairs(saved.hidden)),
			...(typeof saved.theme === 'string' && {theme: saved.theme}),
		};
	} catch {
		return NO_CHOICES;
	}
}

function pairs(value: unknown): [string, string][] {
	if (!Array.isArray(value)) return [];
	return value.filter(
		(pair): pair is [string, string] =>
			Array.isArray(pair) && pair.length === 2 && pair.every(part => typeof part === 'string'),
	);
}

/** Writes the choices beside the old ones and then over them, so that a cut leaves one of the two whole. */
export async function saveChoices(
	dataDir: string,
	{pins, hidden, theme}: Pick<MonitorState, 'pins' | 'hidden' | 'theme'>,
): Promise<void> {
	const file = fileIn(dataDir);
	const text = JSON.stringify(
		{version: 1, theme, pins: [...pins].slice(-MAX_KEPT), hidden: [...hidden].slice(-MAX_KEPT)},
		undefined,
		'\t',
	);
	await mkdir(dirname(file), {recursive: true, mode: 0o700});
	await writeFile(`${file}.new`, text, {mode: 0o600});
	await rename(`${file}.new`, file);
}
