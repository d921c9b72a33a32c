import type {Client} from '../../client/client.ts';
import type {ViewRequest} from '../../client/feed/feed-events.ts';
import type {PulseBody} from '../../contract/pulse-request.ts';
import type {Store} from '../../store.ts';
import type {Column} from '../columns/column.ts';
import type {ColumnFilter} from '../filter/column-filter.ts';
import {columnFilterOf, type EmptyClause} from '../filter/column-filter.ts';
import {parseFilterLine} from '../filter/filter-line.ts';
import type {MonitorState} from '../state.ts';
import {columnChanged} from '../transitions/screen.ts';
import {VIEWS, type ViewName} from '../views.ts';

/** How long a column is empty before its clauses are counted, ms: the user may still be changing the filter. */
const WAIT_MS = 400;
/** Views in one request (spec 8). */
const MAX_CLAUSES = 10;

/** A filter line without each of its parts; parts without which the line has a mistake are skipped. */
export function lineWithout(line: string): readonly {readonly text: string; readonly rest: ColumnFilter}[] {
	return parseFilterLine(line).parts.flatMap(({start, end, text}) => {
		const left = `${line.slice(0, start)} ${line.slice(end)}`.replace(/\(\s*\)/g, ' ').replace(/\s+/g, ' ');
		const rest = columnFilterOf(left);
		return rest === undefined ? [] : [{text, rest}];
	});
}

/** Whether a column is empty because of its filter. A service that does not filter can't count what each clause keeps out. */
function isEmptied({status, rows, filter, isLocal}: Column): boolean {
	return status.kind === 'ready' && rows.size === 0 && filter.text !== '' && isLocal !== true;
}

/**
 * Counts on the service, for each empty column, how many tokens would match without each clause of its filter, once for each
 * filter.
 * @param requestOf the request of a column; undefined when no token can match
 * @returns stops the counting
 */
export function explainEmptyColumns(
	store: Store<MonitorState>,
	client: Pick<Client, 'call'>,
	requestOf: (column: Column) => ViewRequest | undefined,
): () => void {
	const counted = new Map<ViewName, Column>();
	const timers = new Map<ViewName, NodeJS.Timeout>();

	function follow(): void {
		for (const view of VIEWS) {
			const column = store.get().columns[view];
			const last = counted.get(view);
			if (!isEmptied(column)) {
				counted.delete(view);
				clearTimeout(timers.get(view));
			} else if (last?.filter !== column.filter || last.scope !== column.scope) {
				counted.set(view, column);
				clearTimeout(timers.get(view));
				timers.set(
					view,
					setTimeout(() => void count(column), WAIT_MS),
				);
			}
		}
	}

	async function count(column: Column): Promise<void> {
		const {view, filter} = column;
		const variants = lineWithout(filter.text).slice(0, MAX_CLAUSES);
		const views = variants.flatMap(({rest}, at) => {
			const request = requestOf({...column, filter: rest, pinned: new Set()});
			return request === undefined ? [] : [{...request, name: String(at), limit: 1}];
		});
		if (views.length === 0) return;
		try {
			// A view of the feed has the wire's spelling (feed-events.ts), but its lists are read-only.
			const body = {assetMode: true, views} as unknown as PulseBody;
			const totals = await client.call('pulsePagination', {body});
			const clauses = variants.flatMap((variant, at): EmptyClause[] => {
				const without = totals[String(at)]?.pagination;
				return without === undefined ? [] : [{...variant, without}];
			});
			const emptyReason = {filter, clauses: clauses.toSorted((a, b) => b.without - a.without)};
			store.apply(state => columnChanged(state, view, c => (c.filter === filter ? {...c, emptyReason} : c)));
		} catch {
			// Without counts the column only says that it is empty.
		}
	}

	const unsubscribe = store.subscribe(follow);
	return () => {
		unsubscribe();
		for (const timer of timers.values()) clearTimeout(timer);
	};
}

/** The clause that excludes most tokens of an empty column; undefined when the column is not empty. */
export function worstClause({filter, emptyReason, status, rows}: Column): EmptyClause | undefined {
	if (emptyReason?.filter !== filter || rows.size > 0 || status.kind !== 'ready') return undefined;
	const [worst] = emptyReason.clauses;
	return worst !== undefined && worst.without > 0 ? worst : undefined;
}
