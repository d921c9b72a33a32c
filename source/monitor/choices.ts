import {join} from 'node:path';
import {laterWords, putAside, readState, writeState} from '../state-file.ts';
import {type AlertRule, readAlertRule, ruleText} from './alerts/alert-rules.ts';
import {FULL_SCOPE, isSameScope, readScopePart, type Scope, scopeText} from './columns/scope.ts';
import {DEFAULT_VIEWS, isSameShown, readShownViews, type ShownViews, shownViewsText} from './columns/shown-views.ts';
import {type Hide, type HideKind, type Hides, hideId, NO_HIDES} from './hides/hides.ts';
import {DEFAULT_SAVED_VIEW, type SavedView, SLOTS} from './saved-views/saved-view.ts';
import {formatSavedView, readSavedView} from './saved-views/saved-view-text.ts';
import type {MonitorState} from './state.ts';
import {type Pins, pinLines, readPinLine} from './tokens/pins.ts';

/** The user's choices, kept from one start to the next (`choices.json`). */
export interface Choices {
	readonly pins: Pins;
	readonly hidden: Hides;
	readonly savedViews: ReadonlyMap<number, SavedView>;
	/** Watched prediction markets. */
	readonly watchedPredictions: ReadonlyMap<string, string>;
	/** Alert rules that were made by hand. */
	readonly alerts: readonly AlertRule[];
	/** The scope of all columns. */
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

/** The choices of the last run, and the problems of their file, in sentences. */
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
		const unread = unreadWords(found.document);
		if (found.kind === 'read')
			return {
				choices,
				...(unread !== '' && {
					warning: `choices.json holds what can't be read: ${unread}. It stays in the file, without effect.`,
				}),
			};
		return {choices, warning: `${laterWords(path, found.version)}: what you choose now is not kept.`};
	} catch (error) {
		return lost((error as Error).message);
	}
}

function choicesOf(saved: Readonly<Record<string, unknown>>): Choices {
	return {
		pins: new Map(readLines(saved, 'pins')),
		hidden: hidesOf(saved),
		watchedPredictions: new Map(readLines(saved, 'markets')),
		savedViews: new Map(readLines(saved, 'presets')),
		alerts: readLines(saved, 'alerts'),
		...readScope(saved),
		...(saved['tourSeen'] === true && {tourSeen: true}),
		...readColumns(saved),
		...(typeof saved['theme'] === 'string' && {theme: saved['theme']}),
	};
}

/** The lists of the file: how a line is read, undefined where it can't be, and one and several in words. */
const LISTS = {
	pins: {words: ['pin', 'pins'], read: readPinLine},
	hides: {words: ['hide', 'hides'], read: readHide},
	markets: {words: ['watched market', 'watched markets'], read: readPair},
	alerts: {words: ['alert rule', 'alert rules'], read: readRule},
	presets: {words: ['saved view', 'saved views'], read: readSlot},
} as const satisfies Readonly<Record<string, {words: readonly [string, string]; read: (line: unknown) => unknown}>>;
type ListName = keyof typeof LISTS;
type Line<Name extends ListName> = NonNullable<ReturnType<(typeof LISTS)[Name]['read']>>;

function linesOf(saved: Readonly<Record<string, unknown>>, name: ListName): readonly unknown[] {
	const value = saved[name];
	return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function readLines<Name extends ListName>(saved: Readonly<Record<string, unknown>>, name: Name): Line<Name>[] {
	const {read} = LISTS[name];
	return linesOf(saved, name)
		.map(line => read(line) as Line<Name> | undefined)
		.filter(line => line !== undefined);
}

/** The lines that can't be read, by a later version or by hand: they stay in the file. */
function unreadLines(saved: Readonly<Record<string, unknown>>, name: ListName): readonly unknown[] {
	return linesOf(saved, name).filter(line => LISTS[name].read(line) === undefined);
}

/** The lines of choices.json that can't be read: `2 pins, 1 alert rule`; empty when all can. */
export function unreadWords(saved: Readonly<Record<string, unknown>>): string {
	return Object.entries(LISTS)
		.map(([name, {words}]) => ({words, count: unreadLines(saved, name as ListName).length}))
		.filter(({count}) => count > 0)
		.map(({words: [one, several], count}) => `${count} ${count === 1 ? one : several}`)
		.join(', ');
}

/** The shown columns; nothing for the default ones and for an unreadable value. */
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

/** The hides. Earlier versions kept only tokens, by key with their symbol. */
function hidesOf(saved: Readonly<Record<string, unknown>>): Hides {
	const old = (Array.isArray(saved['hidden']) ? saved['hidden'] : [])
		.map(readPair)
		.filter(pair => pair !== undefined)
		.map(([value, label]): Hide => ({kind: 'token', value, label, reason: 'by hand'}));
	return new Map([...old, ...readLines(saved, 'hides')].map(hide => [hideId(hide), hide]));
}

function readHide(line: unknown): Hide | undefined {
	if (!Array.isArray(line) || line.length !== 5 || !line.every(part => typeof part === 'string')) return undefined;
	const [kind, value, label, reason, deployer] = line as [HideKind, string, string, string, string];
	if (!HIDE_KINDS.includes(kind) || value === '') return undefined;
	return {kind, value, label, reason, ...(deployer !== '' && {deployer})};
}
function hideLine({kind, value, label, reason, deployer = ''}: Hide): readonly string[] {
	return [kind, value, label, reason, deployer];
}
const HIDE_KINDS: readonly HideKind[] = ['token', 'deployer', 'keyword'];

/** A saved view with its number. */
function readSlot(line: unknown): readonly [slot: number, savedView: SavedView] | undefined {
	const [slot, text = ''] = readPair(line) ?? [];
	const read = readSavedView(text, DEFAULT_SAVED_VIEW);
	return read.ok && SLOTS.some(known => known === Number(slot)) ? [Number(slot), read.savedView] : undefined;
}

function readRule(line: unknown): AlertRule | undefined {
	const [text, state] = readPair(line) ?? [];
	const read = text === undefined ? undefined : readAlertRule(text);
	return read?.ok ? {...read.rule, isOff: state === 'off'} : undefined;
}

function readPair(line: unknown): readonly [string, string] | undefined {
	const isPair = Array.isArray(line) && line.length === 2 && line.every(part => typeof part === 'string');
	return isPair ? (line as [string, string]) : undefined;
}

/** Writes the choices. @throws LaterStateFile; the errors of the file system */
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
	const path = choicesFile(dataDir);
	const before = readState(path);
	const unread = (name: ListName) => (before.kind === 'read' ? unreadLines(before.document, name) : []);
	await writeState(path, {
		version: 1,
		theme,
		tourSeen,
		// Earlier versions kept hidden tokens there; `hides` has them now.
		hidden: undefined,
		chains: scopeText(scope, 'chains'),
		launchpads: scopeText(scope, 'launchpads'),
		columns: shownViewsText(shownViews),
		pins: [...unread('pins'), ...pinLines(pins).slice(-MAX_KEPT)],
		hides: [...unread('hides'), ...Array.from(hidden.values(), hideLine).slice(-MAX_KEPT)],
		markets: [...unread('markets'), ...[...watchedPredictions].slice(-MAX_KEPT)],
		alerts: [
			...unread('alerts'),
			...alerts.rules.filter(rule => !rule.isConfigured).map(rule => [ruleText(rule), rule.isOff ? 'off' : 'on']),
		],
		presets: [
			...unread('presets'),
			...Array.from(savedViews, ([slot, savedView]) => [String(slot), formatSavedView(savedView)]),
		],
	});
}
