import {expect, test} from 'vitest';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import type {Recording} from '../../../../source/monitor/state.ts';
import {recordingPlayed} from '../../../../source/monitor/transitions/recording.ts';

const NOW_MS = 1_000_000;
const start = initialState({
	size: {columns: 80, rows: 24},
	nowMs: NOW_MS,
	theme: 'dark',
	service: {label: 'a recording', embedded: false},
});
const played = (recording: Recording & {readonly reason?: string}, state = start) =>
	recordingPlayed(state, recording, {atMs: 250_000, nowMs: NOW_MS});

test('ages count from the clock of the recording', () => {
	const state = played({phase: 'playing', speed: 1});
	expect([state.skewMs, state.service.recording, state.notice]).toEqual([
		-750_000,
		{phase: 'playing', speed: 1},
		undefined,
	]);
	const again = recordingPlayed(state, {phase: 'playing', speed: 1}, {atMs: 260_000, nowMs: NOW_MS});
	expect([again.skewMs, again.service]).toEqual([-740_000, state.service]);
	expect(played({phase: 'playing', speed: 4}, state).service.recording).toEqual({phase: 'playing', speed: 4});
});

test.each([
	[{phase: 'ended', speed: 1}, 'The recording is at its end.', 'info'],
	[{phase: 'cut', speed: 1}, 'The recording was cut off here.', 'bad'],
	[{phase: 'broken', speed: 1, reason: 'line 7'}, 'The recording is damaged from here on: line 7', 'bad'],
] as const)('its end is said once: %j', (recording, text, tone) => {
	const end = played(recording);
	expect(end.notice).toMatchObject({text, tone});
	const {notice: _, ...seen} = end;
	expect(played(recording, seen as typeof end).notice).toBeUndefined();
});
