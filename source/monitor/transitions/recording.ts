import type {MonitorState, Recording} from '../state.ts';
import {noticed} from './screen.ts';

const RECORDING_ENDS: Readonly<Record<Exclude<Recording['phase'], 'playing'>, string>> = {
	ended: 'The recording is at its end',
	cut: 'The recording was cut off here',
	broken: 'The recording is damaged from here on',
};

/** Why a recording no longer plays, in a sentence. */
export function recordingEndText(phase: keyof typeof RECORDING_ENDS, reason: string | undefined): string {
	return `${RECORDING_ENDS[phase]}${reason === undefined ? '.' : `: ${reason}`}`;
}

/**
 * A recording was played on: ages count from its clock.
 * @param atMs the recorded time
 * @param nowMs local Unix ms
 */
export function recordingPlayed(
	state: MonitorState,
	recording: Recording & {readonly reason?: string},
	{atMs, nowMs}: {atMs: number; nowMs: number},
): MonitorState {
	const {phase, speed, reason} = recording;
	const was = state.service.recording;
	const next = {...state, skewMs: atMs - nowMs};
	if (was?.phase === phase && was.speed === speed) return next;
	const played = {...next, service: {...state.service, recording: {phase, speed}}};
	if (phase === 'playing') return played;
	return noticed(played, {
		text: recordingEndText(phase, reason),
		tone: phase === 'ended' ? 'info' : 'bad',
		atMs: nowMs,
	});
}
