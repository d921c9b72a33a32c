import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createAlertEffects} from '../../../../source/commands/monitor/alert-effects.ts';
import {loadConfig} from '../../../../source/config/config.ts';
import {type Alert, readAlertRule} from '../../../../source/monitor/alerts/alert-rules.ts';
import {alertsRaised} from '../../../../source/monitor/alerts/alert-transitions.ts';
import {changesArrived} from '../../../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../../../source/monitor/transitions/screen.ts';
import {detectCapabilities} from '../../../../source/terminal/capabilities.ts';
import {entryOf} from '../../../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../../../helpers/monitor-app.tsx';
import {PATIENCE_MS} from '../../../helpers/patience.ts';

const capabilities = detectCapabilities({env: {}, isTTY: true, platform: 'linux', color: 'never', ascii: false});
const ALERT: Alert = {
	rule: 'mcap>1',
	key: 'a',
	chainId: 'solana:solana',
	address: 'a',
	symbol: '$(id)',
	view: 'new',
	atMs: NOW_MS,
};

test(
	'a test alert rings once, in quiet hours too, and its command learns that it is a test',
	async () => {
		const dir = mkdtempSync(join(tmpdir(), 'pulsetop-alert-'));
		try {
			const out = join(dir, 'env.json');
			const script = 'require("fs").writeFileSync(process.argv[1], JSON.stringify(process.env))';
			const {alerts} = await loadConfig({env: {HOME: dir}});
			const sent: string[] = [];
			const command = [process.execPath, '-e', script, '--', out];
			const effects = createAlertEffects(() => ({...alerts, command, quiet: '00:00-23:59'}), {
				capabilities,
				send: sequence => sent.push(sequence),
			});
			const done = effects.tryOut(ALERT);
			expect(sent).toEqual(['\u0007']);
			expect(done).toContain(`bell, command ${process.execPath}`);
			await expect.poll(() => existsSync(out) && readFileSync(out, 'utf8')).toMatch(/\}$/);
			const env = JSON.parse(readFileSync(out, 'utf8')) as Record<string, string>;
			expect(env).toMatchObject({PULSETOP_TEST: '1', PULSETOP_SYMBOL: '$(id)', PULSETOP_RULE: 'mcap>1'});
		} finally {
			rmSync(dir, {recursive: true});
		}
	},
	PATIENCE_MS,
);

test('alerts that come together each run the command, one after the other; of a flood the first do', async () => {
	const dir = mkdtempSync(join(tmpdir(), 'pulsetop-alert-'));
	try {
		const out = join(dir, 'heard');
		const go = join(dir, 'go');
		const script = `while [ ! -e '${go}' ]; do sleep 0.02; done; echo "begin $PULSETOP_SYMBOL" >> '${out}'; sleep 0.02; echo end >> '${out}'`;
		const {alerts} = await loadConfig({env: {HOME: dir}});
		const settings = {...alerts, command: ['sh', '-c', script], quiet: 'never'};
		const effects = createAlertEffects(() => settings, {capabilities, send: () => {}});
		const named = (n: number): Alert => ({...ALERT, symbol: `T${n}`});
		effects.ring([named(0), named(1), named(2)]);
		effects.ring(Array.from({length: 40}, (_, n) => named(n + 3)));
		expect(effects.tryOut(ALERT)).toContain('too many are waiting: not started');
		writeFileSync(go, '');
		const lines = () => (existsSync(out) ? readFileSync(out, 'utf8').trimEnd().split('\n') : []);
		const first = Array.from({length: 21}, (_, n) => [`begin T${n}`, 'end']).flat();
		await expect.poll(lines).toEqual(first);
		effects.ring([named(99)]);
		await expect.poll(lines).toEqual([...first, 'begin T99', 'end']);
	} finally {
		rmSync(dir, {recursive: true});
	}
});

test('a rule with an address rings for that token alone', () => {
	const read = readAlertRule('address:bbb mcap>100k');
	if (!read.ok) throw new Error(read.problem);
	const monitor = openTestMonitor({rules: [read.rule]});
	const both = (market_cap: number) => ['aaa', 'bbb'].map(address => entryOf(address, {symbol: address, market_cap}));
	monitor.arrive('new', both(1000));
	monitor.store.apply(state =>
		alertsRaised(
			state,
			columnChanged(state, 'new', column => changesArrived(column, both(200_000), [], NOW_MS)),
			NOW_MS,
		),
	);
	expect(monitor.store.get().alerts.recent.map(({symbol}) => symbol)).toEqual(['bbb']);
});
