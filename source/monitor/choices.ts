import {mkdir, readFile, rename, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {DEFAULT_PRESET, formatPreset, type Preset, readPreset, SLOTS} from './presets.ts';
import {type MonitorState, VIEWS, type ViewName} from './state.ts';

/** What a person chose that should still hold tomorrow. */
export interface Choices {
	readonly pins: ReadonlyMap<string, ViewName>;
	readonly hidden: ReadonlyMap<string, string>;
	readonly presets: ReadonlyMap<number, Preset>;
	readonly theme?: string;
}

export const NO_CHOICES: Choices = {pins: new Map(), hidden: new Map(), presets: new Map()};

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
			presets?: unknown;
		};
		const pins = pairs(saved.pins).filter((pair): pair is [string, ViewName] =>
			(VIEWS as readonly string[]).includes(pair[1]),
		);
		return {
			pins: new Map(pins),
			hidden: new Map(pairs(saved.hidden)),
			presets: readPresets(pairs(saved.presets)),
			...(typeof saved.theme === 'string' && {theme: saved.theme}),
		};
	} catch {
		return NO_CHOICES;
	}
}

/** A view that can't be read is left out. */
function readPresets(lines: readonly (readonly [string, string])[]): ReadonlyMap<number, Preset> {
	return new Map(
		lines.flatMap(([slot, line]) => {
			const read = readPreset(line, DEFAULT_PRESET);
			return read.ok && SLOTS.some(known => known === Number(slot)) ? [[Number(slot), read.preset] as const] : [];
		}),
	);
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
	{pins, hidden, theme, presets}: Pick<MonitorState, 'pins' | 'hidden' | 'theme' | 'presets'>,
): Promise<void> {
	const file = fileIn(dataDir);
	const text = JSON.stringify(
		{
			version: 1,
			theme,
			pins: [...pins].slice(-MAX_KEPT),
			hidden: [...hidden].slice(-MAX_KEPT),
			presets: Array.from(presets, ([slot, preset]) => [String(slot), formatPreset(preset)]),
		},
		undefined,
		'\t',
	);
	await mkdir(dirname(file), {recursive: true, mode: 0o700});
	await writeFile(`${file}.new`, text, {mode: 0o600});
	await rename(`${file}.new`, file);
}
