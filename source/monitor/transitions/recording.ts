import type {MonitorState, Recording} from '../state.ts';
import {noticed} from './screen.ts';

/** What a recording is at its end, in words. */
export const RECORDING_ENDS: Readonly<Record<Exclude<Recording['phase'], 'playing'>, string>> = {
	ended: 'The recording is at its end',
	cut: 'The recording was cut off here',
	broken: 'The recording is damaged from here on',
};

/**
 * The playing of a recording went on: its clock is the one that ages count from.
 * @param atMs the recorded time
 * @param nowMs local Unix ms
 */
export function recordingPlayed(
	state: MonitorState,
	recording: Recording & {readonly words?: string},
	{atMs, nowMs}: {atMs: number; nowMs: number},
): MonitorState {
	const {phase, speed, words} = recording;
	const was = state.service.recording;
	const next = {...state, skewMs: atMs - nowMs};
	if (was?.phase === phase && was.speed === speed) return next;
	const told = {...next, service: {...state.service, recording: {phase, speed}}};
	if (phase === 'playing') return told;
	const text = `${RECORDING_ENDS[phase]}${words === undefined ? '.' : `: ${words}`}`;
	return noticed(told, {text, tone: phase === 'ended' ? 'info' : 'bad', atMs: nowMs});
}
