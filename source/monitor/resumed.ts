import type {Resumed} from '../client/feed/feed-events.ts';
import {lagText} from './following.ts';
import type {LastLoss} from './last-loss.ts';
import type {MonitorState} from './state.ts';
import {NOTICE_MS, noticed} from './transitions/screen.ts';
import {VIEWS} from './views.ts';

/** An alert that is younger than this is named beside the notice that would replace it, ms. */
const TOGETHER_MS = 2000;

/** The stream is back after a loss: says where it goes on, and reports on the time between. */
export function lossEnded(state: MonitorState, {type: _, missed, ...facts}: Resumed): MonitorState {
	const tokens = new Map<string, LastLoss['missed'][number]>();
	for (const {view: name, entry} of missed) {
		const view = VIEWS.find(known => known === name);
		if (view !== undefined && !tokens.has(entry.key)) tokens.set(entry.key, {view, entry});
	}
	const lastLoss: LastLoss = {...facts, missed: [...tokens.values()]};
	const {notice} = state;
	const isAlert = notice?.isEvent && notice.text.startsWith('Alert: ') && facts.atMs - notice.atMs < TOGETHER_MS;
	const text = lossText(lastLoss);
	return noticed(
		{...state, lastLoss},
		{
			text: isAlert ? `${text}. ${notice.text}` : `${text}.`,
			...(isAlert && notice.hint !== undefined && {hint: notice.hint}),
			tone: facts.isRecovered ? 'good' : 'warn',
			atMs: facts.atMs,
			isEvent: true,
		},
	);
}

/** The text of an alert, after the report of a loss that is still shown. */
export function withLoss({lastLoss, notice}: MonitorState, alert: string, nowMs: number): string {
	if (lastLoss === undefined || nowMs - lastLoss.atMs >= NOTICE_MS) return alert;
	const text = lossText(lastLoss);
	return notice?.text.startsWith(text) ? `${text}. ${alert}` : alert;
}

/** `Moved to b:4010 · 3 launches came and went meanwhile`. */
export function lossText({movedTo, ...loss}: LastLoss): string {
	return `${movedTo === undefined ? 'Connected again' : `Moved to ${movedTo}`} · ${missedText(loss)}`;
}

/** The report on the time of a loss: `3 launches came and went meanwhile`, `12 s are missing`. */
function missedText({isRecovered, gapMs, missed}: LastLoss): string {
	if (!isRecovered) return gapMs === undefined ? 'how much is missing is unknown' : `${lagText(gapMs)} are missing`;
	if (missed.length === 0) return 'nothing was missed';
	const noun = missed.every(({view}) => view === 'new') ? ['launch', 'launches'] : ['token', 'tokens'];
	return `${missed.length} ${missed.length === 1 ? noun[0] : noun[1]} came and went meanwhile`;
}
