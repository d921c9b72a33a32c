import {expect, test} from 'vitest';
import {startOf} from '../../source/commands/config/start.ts';
import {loadConfig} from '../../source/config/config.ts';
import {readAlertRule} from '../../source/monitor/alerts/alert-rules.ts';
import {alertsRaised} from '../../source/monitor/alerts/alert-transitions.ts';
import {NO_CHOICES} from '../../source/monitor/choices.ts';
import {snapshotArrived} from '../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../source/monitor/transitions/screen.ts';
import {clock, dateTime} from '../../source/ui/format.ts';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../helpers/monitor-app.tsx';

/* A replay shows the past: no time on its screens is the present. */

/** Another time of day than the present of test monitors, to the second. */
const RECORDED_MS = Date.UTC(2024, 1, 3, 4, 5, 6);
const config = await loadConfig({flags: {theme: 'dark'}, env: {HOME: '/nowhere'}});
const size = {columns: 120, rows: 30};
const service = {label: 'a.pulse', embedded: false, recording: {phase: 'playing', speed: 1}} as const;
const skewMs = RECORDED_MS - NOW_MS;

test('the first frames, before anything was read, show the time with which the recording begins', () => {
	const start = startOf(config, NO_CHOICES, size, {name: 'a.pulse', speed: 1, atMs: RECORDED_MS});
	const [header = ''] = openTestMonitor(start).frame().split('\n');
	expect(header).toContain('RECORDING');
	expect(header.trimEnd()).toMatch(new RegExp(`${dateTime(RECORDED_MS)}$`));
});

test('an explanation, an alert and the rewind show when it was recorded', () => {
	const read = readAlertRule('mcap>1');
	if (!read.ok) throw new Error(read.problem);
	const monitor = openTestMonitor({size, service, skewMs, rules: [read.rule]});
	monitor.arrive('new', [entryOf('first', {symbol: 'FIRST', market_cap: 0})]);
	monitor.store.apply(state =>
		alertsRaised(
			state,
			columnChanged(state, 'new', c =>
				snapshotArrived(c, [entryOf('first', {symbol: 'FIRST', market_cap: 9})], NOW_MS),
			),
			NOW_MS,
		),
	);
	const windows = {
		e: `at ${clock(RECORDED_MS)}`,
		A: `${clock(RECORDED_MS)}  FIRST`,
		'<': ` ${clock(RECORDED_MS)} `,
	};
	const {columns} = monitor.store.get();
	monitor.moments.push({atMs: NOW_MS, skewMs, columns, priceOf: () => undefined});
	monitor.press('j');
	for (const [key, time] of Object.entries(windows)) {
		monitor.press(key);
		const frame = monitor.frame();
		expect(frame).toContain(time);
		expect(frame).not.toContain(clock(NOW_MS));
		monitor.press('\u001b');
	}
});
