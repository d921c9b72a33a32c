import type {RecordedEvent} from '../../contract/recording.ts';
import {alertsRaised} from '../../monitor/alerts/alert-transitions.ts';
import type {Column} from '../../monitor/columns/column.ts';
import {initialState} from '../../monitor/initial-state.ts';
import type {MonitorState} from '../../monitor/state.ts';
import {changesArrived, snapshotArrived} from '../../monitor/transitions/column.ts';
import {recordingEndText} from '../../monitor/transitions/recording.ts';
import {VIEWS} from '../../monitor/views.ts';
import {LEAD_MS, openRecording, RecordingUnreadable} from '../../service/replay/recording-file.ts';
import type {Watch} from './hit.ts';

interface RecordingWatch extends Watch {
	readonly path: string;
	/** Length of the recorded time that is read, ms; undefined for all of it. */
	readonly forMs: number | undefined;
}

/**
 * Tries rules on a recording, event by event and without a clock: the hits are those of the recorded moments however fast the
 * machine reads, and the whole file takes seconds. A file that is damaged further on counts up to there.
 * @throws RecordingUnreadable where it is no recording
 */
export async function watchRecording({path, rules, forMs, ending, say, onHits}: RecordingWatch): Promise<void> {
	let isEnding = false;
	void ending.then(() => {
		isEnding = true;
	});
	const recording = await openRecording(path);
	const {atMs: beganMs} = recording.header;
	const untilMs = forMs === undefined ? Number.POSITIVE_INFINITY : beganMs + forMs;
	const service = {label: '', embedded: false};
	let leadsUntilMs: number | undefined;
	let state = initialState({size: {columns: 80, rows: 24}, nowMs: beganMs, service, theme: 'dark', rules});
	try {
		for await (const event of recording.events) {
			if (isEnding || event.type === 'end' || event.atMs > untilMs) return;
			leadsUntilMs ??= event.atMs + LEAD_MS;
			const alerts = {...state.alerts, isMuted: event.atMs <= leadsUntilMs};
			state = eventArrived({...state, alerts}, event);
			const fresh = state.alerts.recent.slice(0, state.alerts.rung - alerts.rung).toReversed();
			const hits = fresh.map(alert => ({alert, token: alert.entry!, atMs: event.atMs}));
			if (hits.length > 0 && onHits(hits) === 'enough') return;
		}
		say(recordingEndText('cut', undefined));
	} catch (error) {
		if (!(error instanceof RecordingUnreadable)) throw error;
		say(recordingEndText('broken', error.why));
	} finally {
		await recording.close();
	}
}

function eventArrived(state: MonitorState, event: Exclude<RecordedEvent, {type: 'end'}>): MonitorState {
	const view = VIEWS.find(known => known === event.view);
	if (view === undefined) return state;
	const columns = {...state.columns, [view]: changed(state.columns[view], event)};
	return alertsRaised(state, {...state, columns}, event.atMs);
}

function changed(column: Column, event: Exclude<RecordedEvent, {type: 'end'}>): Column {
	return event.type === 'snapshot'
		? snapshotArrived(column, event.tokens, event.atMs)
		: changesArrived(column, event.upserts, event.removed, event.atMs);
}
