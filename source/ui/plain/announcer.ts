import type {Row} from '../../monitor/columns/column.ts';
import {hidingOf} from '../../monitor/hides/hides.ts';
import {findEntry, shownMs} from '../../monitor/select.ts';
import type {MonitorState} from '../../monitor/state.ts';
import {VIEWS} from '../../monitor/views.ts';
import type {Store} from '../../store.ts';
import {clock} from '../format.ts';
import {describeLink, describeToken, tokenLabel} from './descriptions.ts';

/** How often newcomers are announced, ms: a listener must be able to follow. */
const NEWCOMERS_EVERY_MS = 5000;

/** How much is announced. `news` is everything, `alerts` leaves newcomers out, `off` leaves only responses and the connection. */
export type Loudness = 'news' | 'alerts' | 'off';

export interface Announcer {
	/** Announces what has changed since the last call. */
	update(): void;
	setLoudness(loudness: Loudness): void;
	stop(): void;
}

/** Announces what happens, one line an event: the connection, notices and alerts, tokens that bonded, newcomers of the focused column. */
export function createAnnouncer(store: Store<MonitorState>, say: (line: string) => void): Announcer {
	let announced = store.get();
	let loudness: Loudness = 'news';
	let newcomersAtMs = 0;
	let known: ReadonlySet<string> | undefined;

	function update(): void {
		const state = store.get();
		const before = announced;
		if (state === before) return;
		announced = state;
		const at = (text: string): void => say(`${clock(shownMs(state, state.nowMs))} ${text}`);
		if (state.link?.phase !== before.link?.phase) at(describeLink(state));
		for (const view of VIEWS) {
			const {status} = state.columns[view];
			if (status.kind === 'failed' && before.columns[view].status !== status)
				at(`The column ${view} failed: ${status.problem.what}: ${status.problem.why}`);
		}
		if (state.notice && state.notice !== before.notice && (loudness !== 'off' || !isAlert(state.notice.text)))
			at(state.notice.text);
		if (loudness === 'off') return;
		for (const promotion of state.promotions.filter(one => !before.promotions.includes(one)).toReversed()) {
			const entry = findEntry(state, promotion.key)?.entry;
			at(`${entry ? tokenLabel(entry) : promotion.symbol} bonded, it came from ${promotion.from}.`);
		}
		if (loudness === 'news') announceNewcomers(state, before, at);
	}

	function announceNewcomers(state: MonitorState, before: MonitorState, at: (text: string) => void): void {
		const column = state.columns[state.focus];
		if (column.status.kind !== 'ready') return;
		// The user chose another column, sort or filter: its rows are no newcomers.
		const was = before.columns[state.focus];
		if (known === undefined || before.focus !== state.focus || was.status.kind !== 'ready') {
			known = new Set(column.rows.keys());
			return;
		}
		if (state.nowMs - newcomersAtMs < NEWCOMERS_EVERY_MS) return;
		const fresh = column.order.filter(key => !known!.has(key) && !isHidden(column.rows.get(key), state));
		// A row without a place in the order yet is announced when it has one.
		known = new Set([...known, ...column.order].slice(-1000));
		const [first] = fresh;
		if (first === undefined) return;
		newcomersAtMs = state.nowMs;
		const more = fresh.length > 1 ? ` And ${fresh.length - 1} more.` : '';
		at(`New in ${column.view}: ${describeToken(state, column.rows.get(first)!.entry, column.window)}${more}`);
	}

	const unsubscribe = store.subscribe(update);
	return {
		update,
		setLoudness: chosen => {
			loudness = chosen;
		},
		stop: unsubscribe,
	};
}

function isAlert(notice: string): boolean {
	return notice.startsWith('Alert: ');
}

function isHidden(row: Row | undefined, {hidden}: MonitorState): boolean {
	return row !== undefined && hidingOf(row.entry, hidden) !== undefined;
}
