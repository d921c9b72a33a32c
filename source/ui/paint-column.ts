import type {FieldName} from '../contract/fields.ts';
import type {Column} from '../monitor/columns/column.ts';
import {isExcluded, scopeParts, scopeText} from '../monitor/columns/scope.ts';
import {BONDING_FROM_PERCENT, elsewhereIn, rowsOnScreen, shownKeys, standingIn} from '../monitor/columns/shown-keys.ts';
import {worstClause} from '../monitor/filter/empty-clauses.ts';
import {wordOf} from '../monitor/filter/field-words.ts';
import {freshness, headOf, hiddenCount} from '../monitor/select.ts';
import {type Following, topMode} from '../monitor/state.ts';
import type {ViewName} from '../monitor/views.ts';
import type {Row, Span} from '../terminal/style.ts';
import {cellWidth, truncate} from '../text.ts';
import {headerLine, layoutCells} from './cell-layout.ts';
import {age, clock, grouped} from './format.ts';
import {boundKeys} from './keymap/bound-keys.ts';
import {paintToken} from './paint-token.ts';
import {on} from './theme.ts';
import {spansWidth, spread, toned, type ViewModel} from './view-model.ts';
import {wrapText} from './wrap-text.ts';

const TITLES = {new: 'NEW', bonding: 'BONDING', bonded: 'BONDED', trending: 'TRENDING'} as const;
/** Dates in a title, where what is typed for them in a filter reads badly. */
const SORT_LABELS: Readonly<Partial<Record<FieldName, string>>> = {
	bonded_at: 'bonded',
	latest_trade_date: 'last trade',
	ath_date: 'ath date',
	atl_date: 'atl date',
};

/** The lines above a column: what it is and how it is sorted and filtered, then the names of its cells. */
export function paintColumnTitle(model: ViewModel, column: Column, width: number): readonly Row[] {
	const {state, theme, layout} = model;
	const isFocused = state.focus === column.view;
	const others = spansWidth(elsewhere(model, column, 0));
	const hasRoom = (start: readonly Span[], end: readonly Span[]): boolean =>
		spansWidth(start) + others + spansWidth(end) < width;
	// Old data of a service that is reached are not of the connection.
	const [label, none] = column.staleSinceMs === undefined ? ['data ', ''] : ["service's data ", 'stale '];
	const [labelled, bare] = [titleRight(model, column, label), titleRight(model, column, none)];
	// What gives way first: counts of other columns, the label before the age of the data, how many match. Sort, frozen order
	// and filter stay.
	const most = titleLeft(model, column, isFocused, 'all');
	const some = titleLeft(model, column, isFocused, 'total');
	const least = titleLeft(model, column, isFocused, 'shown');
	const left = hasRoom(most, labelled) ? most : hasRoom(some, bare) ? some : least;
	const right = hasRoom(left, labelled) ? labelled : bare;
	const room = width - spansWidth(left) - spansWidth(right) - 1;
	const line = spread(left, [...elsewhere(model, column, room), ...right], width);
	const background = isFocused ? theme.tones.titleFocused.backgroundColor : undefined;
	const cells = layoutCells(column.view, width, layout.lines, column.fields);
	return [
		background === undefined ? line : line.map(span => ({...span, style: on(theme, span.style, background)})),
		...cells.map(line => [{text: headerLine(line, column.window), style: theme.tones.faint}]),
	];
}

/** @param counts how many of its counts the title has room for: those shown, of how many, and how many stand elsewhere */
function titleLeft(model: ViewModel, column: Column, isFocused: boolean, counts: 'all' | 'total' | 'shown'): Span[] {
	const {glyphs, state} = model;
	const keys = shownKeys(state, column.view);
	// Between two changes of a live order what left is still in it for a moment.
	const shown = column.frozen ? standingIn(state, column.view).size : keys.length;
	// The total is a cached hint of the service: it can be behind what is already here.
	const {total, waiting} = headOf(column);
	const isGrowing = state.history === 'loading';
	const last = column.page ? column.page.from + column.order.length - 1 : 0;
	// How many there are is worth the room where a line of words chose them, or a page of them is shown.
	const isChosen = column.filter.text !== '' || column.search !== '' || column.page !== undefined;
	const whole = !isChosen
		? ''
		: total === undefined
			? isGrowing
				? `/${glyphs.ellipsis}`
				: ''
			: `/${grouped(Math.max(total, shown, last))}${isGrowing ? '+' : ''}`;
	// Nothing was read yet, so how many there are is unknown.
	const isUnread = column.dataAtMs === undefined && shown === 0 && column.status.kind !== 'ready';
	const rows = column.page ? `${grouped(column.page.from)}-${grouped(last)}` : isUnread ? glyphs.unknown : `${shown}`;
	const arrow = column.sortOrder === 'desc' ? glyphs.down : glyphs.up;
	// A letter in place of an arrow would be read as part of the word.
	const gap = glyphs.subscripts === '' ? ' ' : '';
	const spans = [
		toned(model, 'accent', isFocused ? glyphs.cursor : ' '),
		toned(model, column.view, TITLES[column.view]),
		toned(model, 'dim', ` ${rows}${counts === 'shown' ? '' : whole} `),
		toned(model, 'text', `${arrow}${gap}${SORT_LABELS[column.sortBy] ?? wordOf(column.sortBy)}`),
	];
	if (column.frozen) spans.push(toned(model, 'warn', frozenText(model, column, waiting)));
	if (column.search !== '') spans.push(toned(model, 'accent', ` /${column.search}`));
	const hidden = hiddenCount(column, state.hidden);
	if (hidden > 0) spans.push(toned(model, 'dim', ` ${hidden} hidden`));
	if (column.filter.text !== '') {
		// The service did not apply the filter: it was applied here, to the rows loaded.
		if (column.isLocal) spans.push(toned(model, 'warn', ' L'));
		spans.push(toned(model, 'accent', ` ${column.filter.text}`));
	}
	if (counts === 'all')
		for (const text of countsBeside(model, column, keys.length - shown)) spans.push(toned(model, 'dim', ` ${text}`));
	return spans;
}

/** A frozen order is said to be old, with the key that ends it, before its figures mislead. */
const OLD_ORDER_MS = 120_000;

function isOldOrder({nowMs}: ViewModel['state'], {frozen, orderedAtMs}: Column): boolean {
	return frozen && orderedAtMs > 0 && nowMs - orderedAtMs >= OLD_ORDER_MS;
}

/** That the order is frozen: how many wait, or since when when it is old. */
function frozenText({state, glyphs}: ViewModel, column: Column, waiting: number): string {
	if (!isOldOrder(state, column)) return waiting > 0 ? ` +${waiting} new` : ` ${glyphs.frozen} frozen`;
	const key = boundKeys(state).keyOf('order.release', glyphs.subscripts === '');
	return ` ${glyphs.frozen} ${age(state.nowMs - column.orderedAtMs)} old${key === undefined ? '' : `, ${key}: live`}`;
}

/** Counts of a column's tokens that are not shown: rows that left but are kept, and tokens in other columns. */
function countsBeside({state}: ViewModel, column: Column, departed: number): string[] {
	const counts = departed > 0 ? [`${departed} left`] : [];
	const places = new Map<ViewName, number>();
	if (!column.frozen) {
		for (const [key, view] of elsewhereIn(state, column.view))
			if (standingIn(state, view).has(key)) places.set(view, (places.get(view) ?? 0) + 1);
	}
	for (const [view, count] of places) counts.push(`${count} in ${TITLES[view]}`);
	return counts;
}

/**
 * The columns that do not fit on the screen, in the title of the last one that does, with the key that leads to them: their
 * names where the title has the room, else how many they are.
 */
function elsewhere({state, layout, glyphs, theme}: ViewModel, column: Column, room: number): Span[] {
	const {view} = column;
	const shown = layout.columns.map(place => place.view);
	const key = boundKeys(state).keyOf('column.next', glyphs.subscripts === '');
	if (shown.length === state.shownViews.length || shown.at(-1) !== view || key === undefined) return [];
	const others = state.shownViews.filter(other => !shown.includes(other));
	const named = `${key}: ${others.map(other => TITLES[other]).join(' ')}  `;
	const counted = `${key}: +${others.length}  `;
	// The state of an old order is said first.
	if (cellWidth(counted) > room && isOldOrder(state, column)) return [];
	return [{text: cellWidth(named) <= room ? named : counted, style: theme.tones.dim}];
}

/** Whether the column was not read at the moment that REWIND shows. */
function hadNothing({state}: ViewModel, {dataAtMs}: Column): boolean {
	return topMode(state).kind === 'rewind' && dataAtMs === undefined;
}

/** The service does not know the view: nothing is wrong with the connection, and waiting does not help. */
function isNotServed({status}: Column): boolean {
	return status.kind === 'failed' && status.problem.code === 'view-not-served';
}

/** The age of the data, or its problem. */
function titleRight(model: ViewModel, column: Column, label: string): Span[] {
	const {state} = model;
	if (isExcluded(column)) return [toned(model, 'warn', 'left out ')];
	if (hadNothing(model, column)) return [];
	if (isNotServed(column)) return [toned(model, 'warn', 'not served ')];
	if (column.status.kind === 'failed') return [toned(model, 'bad', `${model.glyphs.cross} failed `)];
	if (column.status.kind === 'loading' || column.turning) return [toned(model, 'warn', 'loading ')];
	if (state.paused) return [toned(model, 'warn', `${model.glyphs.paused} ${label}${age(ageOf(column, state.nowMs))} `)];
	// Data that is fresh goes without saying.
	const tones = {none: undefined, fresh: undefined, stale: 'warn', unusable: 'bad'} as const;
	const tone = tones[freshness(column.dataAtMs, state.nowMs)];
	if (tone === undefined) return [];
	return [toned(model, tone, `${label}${age(ageOf(column, state.nowMs))} `)];
}

function ageOf(column: Column, nowMs: number): number | undefined {
	return column.dataAtMs === undefined ? undefined : nowMs - column.dataAtMs;
}

/** The lines of a column's rows that are on screen, at most `height` of them. */
export function paintColumnRows(model: ViewModel, column: Column, width: number, height: number): readonly Row[] {
	const {state, layout} = model;
	const rows = rowsOnScreen(state, column.view, layout.pageRows);
	if (rows.length === 0) return paintNothing(model, column, width).slice(0, height);
	const cells = layoutCells(column.view, width, layout.lines, column.fields);
	const isShaded = model.hasShades && layout.lines > 1;
	const lines = rows.flatMap((row, at) =>
		paintToken(model, column, row, cells, {width, isStriped: isShaded && (column.top + at) % 2 === 1}),
	);
	// Some rows of a start are not all rows.
	if (state.history === 'loading' && lines.length < height) {
		lines.push([{text: '  '}, toned(model, 'dim', truncate(`${model.glyphs.waiting} More are loading`, width - 2))]);
	}
	return lines.slice(0, height);
}

/** Loading, empty and failed look different, and say what to do. */
function paintNothing(model: ViewModel, column: Column, width: number): Row[] {
	const text = (tone: 'text' | 'dim' | 'bad' | 'accent', content: string): Row[] =>
		wrapText(content, Math.max(width - 4, 10)).map(line => [{text: '  '}, toned(model, tone, line)]);
	const blank: Row = [];
	/** What a key does here; nothing where its action has none. */
	const ways = (...of: readonly (readonly [id: string, label: string])[]): Row[] => {
		const known = of.flatMap(([id, label]) => {
			const key = boundKeys(model.state).keyOf(id, model.glyphs.subscripts === '');
			return key === undefined ? [] : [`${key} ${label}`];
		});
		return known.length === 0 ? [] : text('accent', known.join(', '));
	};
	const {status} = column;
	if (hadNothing(model, column)) return [blank, ...text('dim', 'No data of that time.')];
	if (status.kind === 'failed') {
		const {what, why, advice} = status.problem;
		if (isNotServed(column)) {
			return [
				blank,
				...text('text', `${what}.`),
				...text('dim', why),
				blank,
				...ways(['columns.open', 'chooses columns'], ['feed.retry', 'requests again']),
			];
		}
		return [
			blank,
			...text('bad', `${model.glyphs.cross} ${what}`),
			...text('text', why),
			blank,
			...text('dim', advice),
			...ways(['feed.retry', 'tries again']),
		];
	}
	const isStarting = model.state.history === 'loading' && column.filter.text === '' && column.search === '';
	if (status.kind === 'loading' || isStarting)
		return [blank, ...text('dim', `${model.glyphs.waiting} Waiting for the first tokens`)];
	if (column.search !== '') {
		return [
			blank,
			...text('text', `No token here has “${column.search}” in its symbol, name or address.`),
			...ways(['order.release', 'ends the search']),
		];
	}
	if (isExcluded(column)) {
		return [
			blank,
			...text('text', `All columns are narrowed to ${scopeText(column.scope, 'chains')}; this one has other chains.`),
			...(column.filter.text === '' ? [] : text('dim', column.filter.text)),
			...ways(['chains.open', 'chooses chains'], ['filter.edit', 'changes the filter']),
		];
	}
	if (hiddenCount(column, model.state.hidden) > 0) {
		return [
			blank,
			...text('text', 'Every token of this view is hidden.'),
			...ways(['token.unhide', 'undoes the last hide'], ['token.hidden', 'lists them']),
		];
	}
	const [place] = elsewhereIn(model.state, column.view).values();
	if (place !== undefined && column.order.length > 0) {
		return [
			blank,
			...text('text', `Every token of this view stands in ${TITLES[place]} now.`),
			...text(
				'dim',
				place === 'bonded'
					? 'A token is shown in one column only.'
					: `A token is shown in one column only: in NEW until ${BONDING_FROM_PERCENT} % of its bonding curve.`,
			),
		];
	}
	if (column.filter.text !== '') {
		const worst = worstClause(column);
		return [
			blank,
			...text(
				'text',
				column.isLocal ? 'No token of the rows loaded matches the filter:' : 'No token matches the filter:',
			),
			...text('dim', column.filter.text),
			...emptyClauses(column).flatMap(line => text('dim', line)),
			...(worst ? ways(['detail.open', `drops ${worst.text}`]) : []),
			...ways(['filter.edit', 'changes or removes it']),
			...scopeParts(column.scope).flatMap(part => [
				...text('dim', `All columns are narrowed to ${scopeText(column.scope, part)}.`),
				...ways([`${part}.open`, `chooses ${part}`]),
			]),
		];
	}
	const narrowed = scopeParts(column.scope);
	if (narrowed.length > 0) {
		const only = narrowed.map(part => scopeText(column.scope, part)).join(' and ');
		return [
			blank,
			...text('text', `The service has no token of ${only} in this view now.`),
			...ways(...narrowed.map(part => [`${part}.open`, `chooses ${part}`] as const)),
		];
	}
	const {follow} = model.state.service;
	if (follow)
		return [blank, ...text('text', `${awaited(follow)}.`), ...text('dim', 'New ones appear here by themselves.')];
	return [
		blank,
		...text('text', 'The service has no token in this view now.'),
		...text('dim', 'New ones appear here by themselves.'),
	];
}

/** What is waited for while nothing of the followed chains is in a column. */
function awaited({names, coverage = []}: Following): string {
	const since = coverage.flatMap(chain => (chain.since === null ? [] : [Date.parse(chain.since)]));
	const on = names.join(', ');
	return since.length === 0
		? `Nothing of ${on} has been read yet`
		: `${on}, followed since ${clock(Math.min(...since))}: nothing is in this view yet`;
}

/** How many clauses of an empty column are listed. */
const MOST_CLAUSES = 3;

/** What each clause of the filter keeps out, as the service counts it; nothing while that is not known. */
function emptyClauses({filter, emptyReason}: Column): readonly string[] {
	if (emptyReason?.filter !== filter || emptyReason.clauses.length === 0) return [];
	if (emptyReason.clauses[0]!.without === 0)
		return ['No single clause empties it: without any one of them it is empty, too.'];
	return emptyReason.clauses
		.slice(0, MOST_CLAUSES)
		.map(({text, without}) => `without ${text}: ${grouped(without)} token${without === 1 ? '' : 's'}`);
}
