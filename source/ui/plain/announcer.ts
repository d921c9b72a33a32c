import type {Row} from '../../monitor/columns/column.ts';
import {hidingOf} from '../../monitor/hides/hides.ts';
import {findEntry, shownMs} from '../../monitor/select.ts';
import type {MonitorState} from '../../monitor/state.ts';
import {VIEWS} from '../../monitor/views.ts';
import type {Store} from '../../store.ts';
import {clock} from '../format.ts';
import {linkSentence, nameWords, tokenSentence} from './sentences.ts';

/** How often newcomers are told, ms: a reader must be able to follow. */
const NEWCOMERS_EVERY_MS = 5000;

/** How much is announced. `news` is all, `alerts` leaves newcomers out, `off` leaves only answers and the connection. */
export type Loudness = 'news' | 'alerts' | 'off';

export interface Announcer {
	/** Something may be told. */
	beat(): void;
	setLoudness(loudness: Loudness): void;
	stop(): void;
}

/** Tells what happens, one line an event: the connection, notices and alerts, tokens that bonded, newcomers of the focused column. */
export function createAnnouncer(store: Store<MonitorState>, say: (line: string) => void): Announcer {
	let told = store.get();
	let loudness: Loudness = 'news';
	let newcomersAtMs = 0;
	let known: ReadonlySet<string> | undefined;

	function beat(): void {
		const state = store.get();
		const before = told;
		if (state === before) return;
		told = state;
		const at = (words: string): void => say(`${clock(shownMs(state, state.nowMs))} ${words}`);
		if (state.link?.phase !== before.link?.phase) at(linkSentence(state));
		for (const view of VIEWS) {
			const {status} = state.columns[view];
			if (status.kind === 'failed' && before.columns[view].status !== status)
				at(`The column ${view} failed: ${status.problem.what}. ${status.problem.why}`);
		}
		if (state.notice && state.notice !== before.notice && (loudness !== 'off' || !isAlert(state.notice.text)))
			at(state.notice.text);
		if (loudness === 'off') return;
		for (const promotion of state.promotions.filter(one => !before.promotions.includes(one)).toReversed()) {
			const entry = findEntry(state, promotion.key)?.entry;
			at(`${entry ? nameWords(entry) : promotion.symbol} bonded, it came from ${promotion.from}.`);
		}
		if (loudness === 'news') tellNewcomers(state, before, at);
	}

	function tellNewcomers(state: MonitorState, before: MonitorState, at: (words: string) => void): void {
		const column = state.columns[state.focus];
		if (column.status.kind !== 'ready') return;
		// Another column, sort or filter is asked for by the person: its rows are no news.
		const was = before.columns[state.focus];
		if (known === undefined || before.focus !== state.focus || was.status.kind !== 'ready') {
			known = new Set(column.rows.keys());
			return;
		}
		if (state.nowMs - newcomersAtMs < NEWCOMERS_EVERY_MS) return;
		const fresh = column.order.filter(key => !known!.has(key) && !isHidden(column.rows.get(key), state));
		// A row without a place in the order yet is told when it has one.
		known = new Set([...known, ...column.order].slice(-1000));
		const [first] = fresh;
		if (first === undefined) return;
		newcomersAtMs = state.nowMs;
		const more = fresh.length > 1 ? ` And ${fresh.length - 1} more.` : '';
		at(`New in ${column.view}: ${tokenSentence(state, column.rows.get(first)!.entry, column.window)}${more}`);
	}

	const unsubscribe = store.subscribe(beat);
	return {
		beat,
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
