import {join} from 'node:path';
import {laterWords, putAside, readState, writeState} from '../state-file.ts';
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

/** The file of the choices. */
function choicesFile(dataDir: string): string {
	return join(dataDir, 'choices.json');
}

/** The choices of the last run, and what its user must know of their file, in sentences. */
export interface LoadedChoices {
	readonly choices: Choices;
	readonly warning?: string;
}

/** Reads the choices of the last run. A file that can't be read is put aside: nothing in it concerns money. */
export function loadChoices(dataDir: string): LoadedChoices {
	const path = choicesFile(dataDir);
	const lost = (why: string): LoadedChoices => {
		const kept = putAside(path);
		const where = kept === undefined ? '' : ` The file is kept as ${kept}.`;
		const what = 'Pins, hides, alert rules and saved views begin empty.';
		return {choices: NO_CHOICES, warning: `choices.json can't be read: ${why}. ${what}${where}`};
	};
	try {
		const found = readState(path);
		if (found.kind === 'missing') return {choices: NO_CHOICES};
		if (found.kind === 'damaged') return lost(found.why);
		const choices = choicesOf(found.document);
		if (found.kind === 'read') return {choices};
		return {choices, warning: `${laterWords(path, found.version)}: what you choose now is not kept.`};
	} catch (error) {
		return lost((error as Error).message);
	}
}

function choicesOf(saved: Readonly<Record<string, unknown>>): Choices {
	return {
		pins: readPinLines(saved['pins']),
		hidden: hidesOf(saved),
		watchedPredictions: new Map(pairs(saved['markets'])),
		savedViews: readSavedViews(pairs(saved['presets'])),
		alerts: readRules(pairs(saved['alerts'])),
		...readScope(saved),
		...(saved['tourSeen'] === true && {tourSeen: true}),
		...readColumns(saved),
		...(typeof saved['theme'] === 'string' && {theme: saved['theme']}),
	};
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

/** Writes the choices. @throws LaterStateFile; what the file system fails with */
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
	await writeState(choicesFile(dataDir), {
		version: 1,
		theme,
		tourSeen,
		// Earlier versions kept hidden tokens there; `hides` has them now.
		hidden: undefined,
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
	});
}
