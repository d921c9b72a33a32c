import {PHASES, VIEWS, type ViewName} from '../state.ts';

/** Which columns are shown, from left to right: at least one, each once. */
export type ShownViews = readonly ViewName[];

/** The columns that are shown where nothing else was chosen, in the order in which a token goes through them. */
export const DEFAULT_VIEWS: ShownViews = PHASES;

/** The columns that something is told of: those of the phases, shown or not, and TRENDING where it is shown. */
export function listedViews({shownViews}: {readonly shownViews: ShownViews}): ShownViews {
	return shownViews.includes('trending') ? VIEWS : PHASES;
}

/** A column is shown, as the last one, or no longer. The last one that is left stays. */
export function viewToggled(shown: ShownViews, view: ViewName): ShownViews {
	if (!shown.includes(view)) return [...shown, view];
	return shown.length === 1 ? shown : shown.filter(other => other !== view);
}

/** A column changed places with its neighbour; one at an end stays there. */
export function viewMoved(shown: ShownViews, view: ViewName, by: 1 | -1): ShownViews {
	const at = shown.indexOf(view);
	const to = at + by;
	if (at < 0 || to < 0 || to >= shown.length) return shown;
	return shown.with(at, shown[to]!).with(to, view);
}

export function isSameShown(a: ShownViews, b: ShownViews): boolean {
	return a.length === b.length && a.every((view, at) => view === b[at]);
}

/** `new,bonded`: as a saved view and the choices keep it. */
export function shownViewsText(shown: ShownViews): string {
	return shown.join(',');
}

export type ReadShownViews =
	| {readonly ok: true; readonly shown: ShownViews}
	| {readonly ok: false; readonly problem: string};

/** Reads what `shownViewsText` wrote. */
export function readShownViews(text: string): ReadShownViews {
	const names = text.split(',').map(name => name.trim().toLowerCase());
	const shown = names.filter((name): name is ViewName => (VIEWS as readonly string[]).includes(name));
	const unknown = names.find(name => !(VIEWS as readonly string[]).includes(name));
	if (unknown !== undefined)
		return {ok: false, problem: `${unknown || 'nothing'} is no column; there are ${VIEWS.join(', ')}`};
	if (new Set(shown).size < shown.length) return {ok: false, problem: 'a column is there twice'};
	return {ok: true, shown};
}
