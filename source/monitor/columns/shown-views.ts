import {PHASES, VIEWS, type ViewName} from '../views.ts';

/** The shown columns, from left to right: at least one, each once. */
export type ShownViews = readonly ViewName[];

/** The columns that are shown by default, in the order in which a token goes through them. */
export const DEFAULT_VIEWS: ShownViews = PHASES;

/** The columns that lists and reports include: those of the phases, and TRENDING when it is shown. */
export function listedViews({shownViews}: {readonly shownViews: ShownViews}): ShownViews {
	return shownViews.includes('trending') ? VIEWS : PHASES;
}

/** A column is added at the end, or removed. The last column cannot be removed. */
export function viewToggled(shown: ShownViews, view: ViewName): ShownViews {
	if (!shown.includes(view)) return [...shown, view];
	return shown.length === 1 ? shown : shown.filter(other => other !== view);
}

/** A column changed places with its neighbour; at an end nothing changes. */
export function viewMoved(shown: ShownViews, view: ViewName, by: 1 | -1): ShownViews {
	const at = shown.indexOf(view);
	const to = at + by;
	if (at < 0 || to < 0 || to >= shown.length) return shown;
	return shown.with(at, shown[to]!).with(to, view);
}

/** Whether the same columns are shown in the same order. */
export function isSameShown(a: ShownViews, b: ShownViews): boolean {
	return a.length === b.length && a.every((view, at) => view === b[at]);
}

/** `new,bonded`: as saved views and choices.json contain it. */
export function shownViewsText(shown: ShownViews): string {
	return shown.join(',');
}

export type ReadShownViews =
	| {readonly ok: true; readonly shown: ShownViews}
	| {readonly ok: false; readonly problem: string};

/** Reads the text of `shownViewsText`; the problem names the fault. */
export function readShownViews(text: string): ReadShownViews {
	const names = text.split(',').map(name => name.trim().toLowerCase());
	const shown = names.filter((name): name is ViewName => (VIEWS as readonly string[]).includes(name));
	const unknown = names.find(name => !(VIEWS as readonly string[]).includes(name));
	if (unknown !== undefined)
		return {ok: false, problem: `${unknown || 'nothing'} is no column; there are ${VIEWS.join(', ')}`};
	if (new Set(shown).size < shown.length) return {ok: false, problem: 'a column is there twice'};
	return {ok: true, shown};
}
