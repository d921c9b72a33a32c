import type {ReactNode} from 'react';
import type {Column} from '../../monitor/columns/column.ts';
import {isExcluded, scopeParts, scopeText} from '../../monitor/columns/scope.ts';
import {BONDING_FROM_PERCENT, elsewhereIn} from '../../monitor/columns/shown-keys.ts';
import {worstClause} from '../../monitor/requests/empty-clauses.ts';
import {hiddenCount} from '../../monitor/select.ts';
import type {Following} from '../../monitor/state.ts';
import {clock, grouped} from '../format.ts';
import {Line, useDisplay, useWidth, Width} from '../live/lines.tsx';
import {Paragraph} from '../live/paragraph.tsx';
import type {Tone} from '../theme.ts';
import type {ViewModel} from '../view-model.ts';
import {hadNothing, isNotServed, TITLES} from './column-words.ts';

interface EmptyColumnProps {
	readonly model: ViewModel;
	readonly column: Column;
}

/** A column without rows: loading, empty and failed look different, and say what to do. */
export function EmptyColumn({model, column}: EmptyColumnProps): ReactNode {
	return (
		<>
			<Line />
			{reasonOf(model, column).map((part, at) =>
				part === undefined ? (
					// biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
					<Line key={at} />
				) : (
					// biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
					<Part key={at} part={part} />
				),
			)}
		</>
	);
}

/** A sentence, or the keys that change something; undefined is an empty line. */
type ReasonPart = Sentence | readonly Way[] | undefined;
interface Sentence {
	readonly tone: Tone;
	readonly text: string;
}
/** An action, and its effect here. */
type Way = readonly [action: string, label: string];

/** Blank cells before each line, and the minimum width of its text. */
const INDENT = 2;
const MIN_WIDTH = 10;

function Part({part}: {readonly part: Sentence | readonly Way[]}): ReactNode {
	const width = useWidth();
	const {keys, glyphs} = useDisplay();
	const known = (ways: readonly Way[]) =>
		ways.flatMap(([id, label]) => {
			const key = keys.keyOf(id, glyphs.subscripts === '');
			return key === undefined ? [] : [`${key} ${label}`];
		});
	const sentence: Sentence = 'text' in part ? part : {tone: 'accent', text: known(part).join(', ')};
	return (
		<Width value={Math.max(width - INDENT, MIN_WIDTH + INDENT)}>
			<Paragraph {...sentence} indent={INDENT} />
		</Width>
	);
}

const text = (content: string): Sentence => ({tone: 'text', text: content});
const dim = (content: string): Sentence => ({tone: 'dim', text: content});

/** Why a column has no rows. */
function reasonOf(model: ViewModel, column: Column): readonly ReasonPart[] {
	const {state, glyphs} = model;
	const {status, filter, search, scope} = column;
	if (hadNothing(state, column)) return [dim('No data of that time.')];
	if (status.kind === 'failed') {
		const {what, why, advice} = status.problem;
		if (isNotServed(column)) {
			const ways = [
				['columns.open', 'chooses columns'],
				['feed.retry', 'requests again'],
			] as const;
			return [text(`${what}.`), dim(why), undefined, ways];
		}
		const failed: Sentence = {tone: 'bad', text: `${glyphs.cross} ${what}`};
		return [failed, text(why), undefined, dim(advice), [['feed.retry', 'tries again']]];
	}
	const isStarting = state.history === 'loading' && filter.text === '' && search === '';
	if (status.kind === 'loading' || isStarting) return [dim(`${glyphs.waiting} Waiting for the first tokens`)];
	if (search !== '') {
		return [
			text(`No token here has “${search}” in its symbol, name or address.`),
			[['order.release', 'ends the search']],
		];
	}
	if (isExcluded(column)) {
		return [
			text(`All columns are narrowed to ${scopeText(scope, 'chains')}; this one has other chains.`),
			...(filter.text === '' ? [] : [dim(filter.text)]),
			[
				['chains.open', 'chooses chains'],
				['filter.edit', 'changes the filter'],
			],
		];
	}
	if (hiddenCount(column, state.hidden) > 0) {
		return [
			text('Every token of this view is hidden.'),
			[
				['token.unhide', 'undoes the last hide'],
				['token.hidden', 'lists them'],
			],
		];
	}
	const [place] = elsewhereIn(state, column.view).values();
	if (place !== undefined && column.order.length > 0) {
		return [
			text(`Every token of this view stands in ${TITLES[place]} now.`),
			dim(
				place === 'bonded'
					? 'A token is shown in one column only.'
					: `A token is shown in one column only: in NEW until ${BONDING_FROM_PERCENT} % of its bonding curve.`,
			),
		];
	}
	if (filter.text !== '') return emptyByFilter(column);
	const narrowed = scopeParts(scope);
	if (narrowed.length > 0) {
		const only = narrowed.map(part => scopeText(scope, part)).join(' and ');
		return [
			text(`The service has no token of ${only} in this view now.`),
			narrowed.map(part => [`${part}.open`, `chooses ${part}`] as const),
		];
	}
	const {follow} = state.service;
	if (state.link && state.link.droppedEntries > 0)
		return [
			text('The service has no token in this view that can be read.'),
			dim(`${grouped(state.link.droppedEntries)} rows so far had no address or no chain.`),
		];
	return [
		text(follow ? `${awaited(follow)}.` : 'The service has no token in this view now.'),
		dim('New ones appear here by themselves.'),
	];
}

/** The filter of an empty column, the clauses that keep tokens out, and the keys that change the filter. */
function emptyByFilter(column: Column): readonly ReasonPart[] {
	const worst = worstClause(column);
	const {isLocal, filter, scope} = column;
	return [
		text(isLocal ? 'No token of the rows loaded matches the filter:' : 'No token matches the filter:'),
		dim(filter.text),
		...emptyClauses(column).map(dim),
		worst && [['detail.open', `drops ${worst.text}`]],
		[['filter.edit', 'changes or removes it']],
		...scopeParts(scope).flatMap((part): ReasonPart[] => [
			dim(`All columns are narrowed to ${scopeText(scope, part)}.`),
			[[`${part}.open`, `chooses ${part}`]],
		]),
	].filter(part => part !== undefined) as readonly ReasonPart[];
}

/** The text of a column that has no token of the followed chains yet. */
function awaited({names, coverage = []}: Following): string {
	const since = coverage.flatMap(chain => (chain.since === null ? [] : [Date.parse(chain.since)]));
	const on = names.join(', ');
	return since.length === 0
		? `Nothing of ${on} has been read yet`
		: `${on}, followed since ${clock(Math.min(...since))}: nothing is in this view yet`;
}

/** How many clauses of an empty column are listed. */
const MAX_CLAUSES = 3;

/** How many tokens each clause of the filter keeps out, counted by the service; empty while unknown. */
function emptyClauses({filter, emptyReason}: Column): readonly string[] {
	if (emptyReason?.filter !== filter || emptyReason.clauses.length === 0) return [];
	if (emptyReason.clauses[0]!.without === 0)
		return ['No single clause empties it: without any one of them it is empty, too.'];
	return emptyReason.clauses
		.slice(0, MAX_CLAUSES)
		.map(({text, without}) => `without ${text}: ${grouped(without)} token${without === 1 ? '' : 's'}`);
}
