import {mkdir, readFile, rename, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {type AlertRule, readAlertRule, ruleText} from './alerts/alert-rules.ts';
import {FULL_SCOPE, isSameScope, readScopePart, type Scope, scopeText} from './columns/scope.ts';
import {DEFAULT_VIEWS, isSameShown, readShownViews, type ShownViews, shownViewsText} from './columns/shown-views.ts';
import {type Hide, type HideKind, type Hides, hideId, NO_HIDES} from './hides/hides.ts';
import {DEFAULT_SAVED_VIEW, type SavedView, SLOTS} from './saved-views/saved-view.ts';
import {formatSavedView, readSavedView} from './saved-views/saved-view-text.ts';
import type {MonitorState} from './state.ts';
import {type Pins, pinLines, readPinLines} from './tokens/pins.ts';

/** What the user chose, kept from one start to the next (`choices.json`). */
export interface Choices {
	readonly pins: Pins;
	readonly hidden: Hides;
	readonly savedViews: ReadonlyMap<number, SavedView>;
	/** Watched prediction markets. */
	readonly watchedPredictions: ReadonlyMap<string, string>;
	/** Alert rules that were made by hand. */
	readonly alerts: readonly AlertRule[];
	/** What all columns are narrowed to. */
	readonly scope?: Scope;
	/** The columns that are shown, from left to right; undefined for the default ones. */
	readonly shownViews?: ShownViews;
	readonly theme?: string;
	/** The first-run tour was shown. */
	readonly tourSeen?: boolean;
}

export const NO_CHOICES: Choices = {
	pins: new Map(),
	hidden: NO_HIDES,
	watchedPredictions: new Map(),
	savedViews: new Map(),
	alerts: [],
};

/** How many of each kind are kept, the newest. */
const MAX_KEPT = 500;

function fileIn(dataDir: string): string {
	return join(dataDir, 'choices.json');
}

/** Reads the choices of the last run. An unreadable file counts as no choices: nothing in it concerns money. */
export async function loadChoices(dataDir: string): Promise<Choices> {
	try {
		const saved = JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as {
			pins?: unknown;
			hidden?: unknown;
			hides?: unknown;
			markets?: unknown;
			theme?: unknown;
			tourSeen?: unknown;
			presets?: unknown;
			alerts?: unknown;
			chains?: unknown;
			columns?: unknown;
			launchpads?: unknown;
		};
		return {
			pins: readPinLines(saved.pins),
			hidden: hidesOf(saved),
			watchedPredictions: new Map(pairs(saved.markets)),
			savedViews: readSavedViews(pairs(saved.presets)),
			alerts: readRules(pairs(saved.alerts)),
			...readScope(saved),
			...(saved.tourSeen === true && {tourSeen: true}),
			...readColumns(saved),
			...(typeof saved.theme === 'string' && {theme: saved.theme}),
		};
	} catch {
		return NO_CHOICES;
	}
}

/** The shown columns; nothing for the default ones and for what can't be read. */
function readColumns({columns}: {columns?: unknown}): Pick<Choices, 'shownViews'> {
	const read = typeof columns === 'string' ? readShownViews(columns) : undefined;
	return read?.ok && !isSameShown(read.shown, DEFAULT_VIEWS) ? {shownViews: read.shown} : {};
}

/** The chains and launchpads; a part that can't be read lets everything in. */
function readScope({chains, launchpads}: {chains?: unknown; launchpads?: unknown}): Pick<Choices, 'scope'> {
	const listed = (value: unknown, part: keyof Scope): readonly string[] => {
		const read = typeof value === 'string' ? readScopePart(value, part) : undefined;
		return read?.ok ? read.listed : [];
	};
	const scope = {chains: listed(chains, 'chains'), launchpads: listed(launchpads, 'launchpads')};
	return isSameScope(scope, FULL_SCOPE) ? {} : {scope};
}

/** What is hidden; an unreadable line is skipped. Earlier versions kept only tokens, by key with their symbol. */
function hidesOf({hidden, hides}: {hidden?: unknown; hides?: unknown}): Hides {
	const old = pairs(hidden).map(([value, label]): Hide => ({kind: 'token', value, label, reason: 'by hand'}));
	const kept = (Array.isArray(hides) ? hides : []).flatMap((line: unknown): Hide[] => {
		if (!Array.isArray(line) || line.length !== 5 || !line.every(part => typeof part === 'string')) return [];
		const [kind, value, label, reason, deployer] = line as [HideKind, string, string, string, string];
		if (!HIDE_KINDS.includes(kind) || value === '') return [];
		return [{kind, value, label, reason, ...(deployer !== '' && {deployer})}];
	});
	return new Map([...old, ...kept].map(hide => [hideId(hide), hide]));
}
const HIDE_KINDS: readonly HideKind[] = ['token', 'deployer', 'keyword'];

/** The saved views by number; an unreadable one is skipped. */
function readSavedViews(lines: readonly (readonly [string, string])[]): ReadonlyMap<number, SavedView> {
	return new Map(
		lines.flatMap(([slot, line]) => {
			const read = readSavedView(line, DEFAULT_SAVED_VIEW);
			return read.ok && SLOTS.some(known => known === Number(slot)) ? [[Number(slot), read.savedView] as const] : [];
		}),
	);
}

function readRules(lines: readonly (readonly [string, string])[]): readonly AlertRule[] {
	return lines.flatMap(([line, state]) => {
		const read = readAlertRule(line);
		return read.ok ? [{...read.rule, isOff: state === 'off'}] : [];
	});
}

function pairs(value: unknown): [string, string][] {
	if (!Array.isArray(value)) return [];
	return value.filter(
		(pair): pair is [string, string] =>
			Array.isArray(pair) && pair.length === 2 && pair.every(part => typeof part === 'string'),
	);
}

/** Writes a new file and renames it over the old one, so that a crash leaves one of the two whole. */
export async function saveChoices(
	dataDir: string,
	{
		pins,
		hidden,
		watchedPredictions,
		chosenTheme: theme,
		tourSeen,
		savedViews,
		alerts,
		scope,
		shownViews,
	}: Pick<
		MonitorState,
		| 'pins'
		| 'hidden'
		| 'watchedPredictions'
		| 'chosenTheme'
		| 'tourSeen'
		| 'savedViews'
		| 'alerts'
		| 'scope'
		| 'shownViews'
	>,
): Promise<void> {
	const file = fileIn(dataDir);
	const text = JSON.stringify(
		{
			version: 1,
			theme,
			tourSeen,
			chains: scopeText(scope, 'chains'),
			launchpads: scopeText(scope, 'launchpads'),
			columns: shownViewsText(shownViews),
			pins: pinLines(pins).slice(-MAX_KEPT),
			hides: Array.from(hidden.values(), ({kind, value, label, reason, deployer = ''}) => [
				kind,
				value,
				label,
				reason,
				deployer,
			]).slice(-MAX_KEPT),
			markets: [...watchedPredictions].slice(-MAX_KEPT),
			alerts: alerts.rules.filter(rule => !rule.isConfigured).map(rule => [ruleText(rule), rule.isOff ? 'off' : 'on']),
			presets: Array.from(savedViews, ([slot, savedView]) => [String(slot), formatSavedView(savedView)]),
		},
		undefined,
		'\t',
	);
	await mkdir(dirname(file), {recursive: true, mode: 0o700});
	await writeFile(`${file}.new`, text, {mode: 0o600});
	await rename(`${file}.new`, file);
}
