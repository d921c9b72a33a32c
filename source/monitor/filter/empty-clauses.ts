import type {Client} from '../../client/client.ts';
import type {ViewRequest} from '../../client/feed/feed-events.ts';
import type {PulseBody} from '../../contract/pulse-request.ts';
import type {Store} from '../../store.ts';
import type {Column, ColumnFilter, MonitorState} from '../state.ts';
import {VIEWS, type ViewName} from '../state.ts';
import {columnChanged} from '../transitions/screen.ts';
import {columnFilterOf} from './column-filter.ts';
import {parseFilterLine} from './filter-line.ts';

/** A clause of a filter that lets no token pass, and how many would match without it. */
export interface EmptyClause {
	readonly text: string;
	/** The filter without it. */
	readonly rest: ColumnFilter;
	readonly without: number;
}

/** The clauses of the filter of an empty column, the one that keeps out most first. Valid for that filter alone. */
export interface EmptyReason {
	readonly filter: ColumnFilter;
	readonly clauses: readonly EmptyClause[];
}

/** The person may still be changing the filter: an empty column is looked into after this, ms. */
const WAIT_MS = 400;
/** Views in one request (spec 8). */
const MAX_CLAUSES = 10;

/** What is left of a filter line without one of its parts; parts whose removal leaves no valid line are missing. */
export function lineWithout(line: string): readonly {readonly text: string; readonly rest: ColumnFilter}[] {
	return parseFilterLine(line).parts.flatMap(({start, end, text}) => {
		const left = `${line.slice(0, start)} ${line.slice(end)}`.replace(/\(\s*\)/g, ' ').replace(/\s+/g, ' ');
		const rest = columnFilterOf(left);
		return rest === undefined ? [] : [{text, rest}];
	});
}

/** Whether a column has an answer, and nothing in it because of its filter. */
function isEmptied(column: Column): boolean {
	return column.status.kind === 'ready' && column.rows.size === 0 && column.filter.text !== '';
}

/**
 * Asks the service, for each empty column, how many tokens would match without each clause of its filter, once a filter.
 * @param requestOf what a column asks of the service; undefined where no token can be in it
 * @returns stops it
 */
export function explainEmptyColumns(
	store: Store<MonitorState>,
	client: Pick<Client, 'call'>,
	requestOf: (column: Column) => ViewRequest | undefined,
): () => void {
	const asked = new Map<ViewName, Column>();
	const timers = new Map<ViewName, NodeJS.Timeout>();

	function look(): void {
		for (const view of VIEWS) {
			const column = store.get().columns[view];
			const last = asked.get(view);
			if (!isEmptied(column)) {
				asked.delete(view);
				clearTimeout(timers.get(view));
			} else if (last?.filter !== column.filter || last.scope !== column.scope) {
				asked.set(view, column);
				clearTimeout(timers.get(view));
				timers.set(
					view,
					setTimeout(() => void ask(column), WAIT_MS),
				);
			}
		}
	}

	async function ask(column: Column): Promise<void> {
		const {view, filter} = column;
		const variants = lineWithout(filter.text).slice(0, MAX_CLAUSES);
		const views = variants.flatMap(({rest}, at) => {
			const request = requestOf({...column, filter: rest, pinned: new Set()});
			return request === undefined ? [] : [{...request, name: String(at), limit: 1}];
		});
		if (views.length === 0) return;
		try {
			// A view of the feed is spelled as the wire wants it (feed-events.ts), with lists that are read-only here.
			const body = {assetMode: true, views} as unknown as PulseBody;
			const totals = await client.call('pulsePagination', {body});
			const clauses = variants.flatMap((variant, at): EmptyClause[] => {
				const without = totals[String(at)]?.pagination;
				return without === undefined ? [] : [{...variant, without}];
			});
			const emptyReason = {filter, clauses: clauses.toSorted((a, b) => b.without - a.without)};
			store.apply(state => columnChanged(state, view, c => (c.filter === filter ? {...c, emptyReason} : c)));
		} catch {
			// The column says that it is empty; a service that does not count leaves open which clause empties it.
		}
	}

	const unsubscribe = store.subscribe(look);
	return () => {
		unsubscribe();
		for (const timer of timers.values()) clearTimeout(timer);
	};
}

/** The clause without which most tokens would match, where a column is empty because of its filter. */
export function worstClause({filter, emptyReason, status, rows}: Column): EmptyClause | undefined {
	if (emptyReason?.filter !== filter || rows.size > 0 || status.kind !== 'ready') return undefined;
	const [worst] = emptyReason.clauses;
	return worst !== undefined && worst.without > 0 ? worst : undefined;
}
