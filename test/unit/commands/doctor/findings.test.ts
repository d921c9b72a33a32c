import {describe, expect, test} from 'vitest';
import {practiceFindings, servedChainFindings} from '../../../../source/commands/doctor/chains.ts';
import {nodeFinding} from '../../../../source/commands/doctor/money.ts';
import {clockFinding, keyFinding} from '../../../../source/commands/doctor/service.ts';
import {capabilityFindings, SAMPLES, tmuxFindings, widthFinding} from '../../../../source/commands/doctor/terminal.ts';
import {randomLoopback} from '../../../../source/service/chain/listen-address.ts';
import {detectCapabilities} from '../../../../source/terminal/capabilities.ts';
import {cellWidth} from '../../../../source/text.ts';
import {type ChainReader, NodeRefused} from '../../../../source/trading/chain-reader.ts';

test.each([
	[400, 'good', "this machine's clock is 0.4 s behind the service's, or less"],
	[-400, 'good', "this machine's clock is 0.4 s ahead of the service's, or less"],
	[0, 'good', "this machine's clock is 0.0 s ahead of the service's, or less"],
	[9999, 'good', "this machine's clock is 10.0 s behind the service's, or less"],
	[10_000, 'note', "this machine's clock is 10.0 s behind the service's"],
	[29_999, 'note', "this machine's clock is 30.0 s behind the service's"],
	[30_000, 'bad', "this machine's clock is 30.0 s behind the service's"],
	[12_000, 'note', "this machine's clock is 12.0 s behind the service's"],
	[-31_000, 'bad', "this machine's clock is 31.0 s ahead of the service's"],
])('a clock that is %d ms off is %s', (skewMs, state, text) => {
	expect(clockFinding({skewMs, uncertaintyMs: 500})).toMatchObject({state, text});
});

test('a service that does not report its time leaves the clocks uncompared', () => {
	expect(clockFinding({skewMs: 0, uncertaintyMs: undefined}).state).toBe('note');
});

test.each([
	[undefined, 'default', 'note', 'no API key is set'],
	['hunter2', 'PULSETOP_API_KEY', 'good', 'the API key is from PULSETOP_API_KEY'],
	['hunter2', '/etc/p.toml:3', 'good', 'the API key is from /etc/p.toml:3'],
] as const)('of the key %s from %s the doctor names the origin alone', (apiKey, name, state, text) => {
	const origins = new Map([['service.api-key', {from: 'env', name}]]);
	const finding = keyFinding({service: {apiKey}, origins} as never);
	expect(finding).toMatchObject({state, text});
	expect(JSON.stringify(finding)).not.toContain('hunter2');
});

test('the doctor names what the system leaves open to practice chains', () => {
	expect(practiceFindings({kind: 'closed', host: '239.1.1.1'}).map(({state}) => state)).toEqual(['good']);
	const [, note] = practiceFindings({kind: 'open', host: randomLoopback('darwin')});
	expect(note).toMatchObject({state: 'note', text: expect.stringContaining('a port of 127.0.0.1')});
	expect(new Set(Array.from({length: 20}, () => randomLoopback('linux'))).size).toBeGreaterThan(10);
	expect(randomLoopback('linux')).toMatch(/^127\.\d+\.\d+\.[1-9]\d*$/);
});

test('of the chains of a service the doctor names those that do not run, and what is missing on real ones', () => {
	const base = {chainId: 'evm:8453', name: 'Base', nativeSymbol: 'ETH', isNew: false} as const;
	const states = (chain: object) =>
		servedChainFindings({...base, kind: 'external', state: 'ready', ...chain}).map(
			({state, text}) => `${state}: ${text}`,
		);
	expect(states({kind: 'embedded', state: 'idle'})).toEqual([]);
	expect(states({kind: 'embedded', state: 'unavailable', reason: 'no anvil'})).toEqual([
		'note: Base (evm:8453) is not available: no anvil',
	]);
	expect(states({missing: []})).toEqual(['good: Base (evm:8453) has everything that a transfer needs']);
	expect(states({missing: ['the solver holds no USDC', 'the sponsor has no ETH']})).toEqual([
		'bad: the solver holds no USDC',
		'bad: the sponsor has no ETH',
	]);
});

test('a terminal that draws as expected is good', () => {
	expect(widthFinding(SAMPLES.map(({text}) => cellWidth(text)))).toMatchObject({state: 'good'});
});

test('a terminal that draws lines and blocks wide is reported with the setting that helps', () => {
	const widths = SAMPLES.map(({name, text}) => (/lines|blocks/.test(name) ? 2 : cellWidth(text)));
	const finding = widthFinding(widths);
	expect(finding.state).toBe('note');
	expect(finding.text).toContain('lines 2 instead of 1, blocks 2 instead of 1');
	expect(finding.advice).toContain('ui.ambiguous-width = "wide"');
});

test('a terminal that does not answer is not called wrong', () => {
	expect(widthFinding(undefined)).toMatchObject({state: 'note', text: expect.stringContaining('cannot be measured')});
});

test('only the settings of tmux that stand in the way are named, each with the line to write', () => {
	const options = new Map([
		['escape-time', '500'],
		['set-clipboard', 'external'],
		['allow-passthrough', 'off'],
		['focus-events', 'on'],
	]);
	expect(tmuxFindings(options).map(({text, advice}) => `${text}. ${advice}`)).toEqual([
		'tmux: escape-time is 500, so Esc is felt late. Put "set -s escape-time 10" into ~/.tmux.conf.',
		'tmux: allow-passthrough is off, so notifications do not leave tmux. Put "set -g allow-passthrough on" into ~/.tmux.conf.',
	]);
});

test('settings that an old tmux does not have are not recommended', () => {
	expect(tmuxFindings(new Map([['escape-time', '10']]))).toEqual([expect.objectContaining({state: 'good'})]);
});

test('a window below 40 by 12 is bad in any terminal', () => {
	const capabilities = detectCapabilities({
		env: {TERM: 'xterm-256color', LANG: 'C.UTF-8'},
		isTTY: true,
		platform: 'linux',
	});
	const states = (columns: number, rows: number) =>
		capabilityFindings(capabilities, {columns, rows}).map(({state}) => state);
	expect(states(40, 12)).not.toContain('bad');
	expect(states(39, 12)).toContain('bad');
	expect(states(40, 11)).toContain('bad');
});

describe('the methods of a configured node', () => {
	const MARK = `0x${'70756c7365746f70'.padStart(64, '0')}`;
	/** A node that refuses some methods, and runs the code of a try on all others. */
	const node = (refused: readonly string[]) =>
		({
			async request(chainId: string, method: string) {
				if (refused.includes(method)) throw new NodeRefused(chainId, 'the method does not exist');
				if (method === 'eth_simulateV1') return [{calls: []}];
				if (method === 'debug_traceCall') return {output: MARK, logs: [{topics: [MARK]}]};
				return method === 'eth_call' ? MARK : '0x1';
			},
		}) as unknown as ChainReader;

	test.each([
		['good', [], /simulates what you sign before you do \(eth_simulateV1\)/],
		['good', ['eth_simulateV1'], /simulates what you sign before you do \(debug_traceCall\)/],
		['note', ['eth_simulateV1', 'debug_traceCall'], /only whether it would revert, not what would move/],
		['note', ['eth_simulateV1', 'debug_traceCall', 'eth_call'], /cannot simulate what you sign/],
		['bad', ['eth_blockNumber'], /your node of Base cannot be read: its node refused/],
	] as const)('is %s when it refuses %j', async (state, refused, text) => {
		expect(await nodeFinding(node(refused), 'evm:8453')).toMatchObject({
			subject: 'money',
			state,
			text: expect.stringMatching(text),
		});
	});
});
