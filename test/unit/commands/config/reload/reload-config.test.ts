import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {afterAll, describe, expect, test} from 'vitest';
import {FOLLOWED_CHAIN_NAMES} from '../../../../../source/chains/followed-chains.ts';
import {
	describeRefusal,
	describeReload,
	reloadConfig,
} from '../../../../../source/commands/config/reload/reload-config.ts';
import {startOf} from '../../../../../source/commands/config/start.ts';
import {type Config, loadConfig, valueAt} from '../../../../../source/config/config.ts';
import {SETTINGS, settingsIn} from '../../../../../source/config/settings.ts';
import {ruleText} from '../../../../../source/monitor/alerts/alert-rules.ts';
import {NO_CHOICES} from '../../../../../source/monitor/choices.ts';
import {initialState} from '../../../../../source/monitor/initial-state.ts';
import type {MonitorState} from '../../../../../source/monitor/state.ts';
import {VIEWS} from '../../../../../source/monitor/views.ts';
import {boundKeys} from '../../../../../source/ui/keymap/bound-keys.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);
const home = await mkdtemp(join(tmpdir(), 'pulsetop-reload-'));
const file = join(home, 'c.toml');
afterAll(() => rm(home, {recursive: true, force: true}));

/** Reads the configuration with a text in its file, as the program does. */
function reader(flags: Readonly<Record<string, string | true>> = {}, env = {}): (text: string) => Promise<Config> {
	return async text => {
		await writeFile(file, text);
		return loadConfig({flags: {config: file, ...flags}, env: {HOME: home, ...env}});
	};
}
const read = reader();

function stateOf(config: Config): MonitorState {
	return initialState({...startOf(config, NO_CHOICES, {columns: 120, rows: 40}), nowMs: NOW_MS});
}

/** A monitor that started with one text, after the text of its file changed. */
async function changed(before: string, after: string, as = read) {
	const inForce = await as(before);
	const reloaded = await reloadConfig(inForce, () => as(after));
	const state = reloaded.change(stateOf(inForce), {background: undefined, nowMs: NOW_MS});
	return {...reloaded, state, was: stateOf(inForce), text: describeReload(reloaded)};
}

/** Another value than the default, for each setting that there is. */
const OTHERS: Readonly<Record<string, string>> = {
	'data-dir': '"/elsewhere"',
	'ca-file': '"/elsewhere.pem"',
	'read-only': 'true',
	'service.base-url': '"https://api.example.com"',
	'service.stream-url': '"wss://stream.example.com"',
	'service.api-key': '"k"',
	'embedded.seed': '7',
	'embedded.rate': '2',
	'follow.backfill': '"1h"',
	'follow.allow-fetch': 'true',
	'follow.ipfs-gateway': '"https://ipfs.example.com"',
	...Object.fromEntries(
		FOLLOWED_CHAIN_NAMES.map(name => [`follow.${name}`, '{url = "wss://node.example.com"}'] as const),
	),
	'ui.theme': '"light"',
	'ui.columns': '["new", "trending"]',
	'ui.color': '"16"',
	'ui.ascii': 'true',
	'ui.plain': 'true',
	'ui.motion': '"none"',
	'ui.keys': '"classic"',
	'ui.mouse': 'false',
	'ui.tour': 'false',
	'ui.ambiguous-width': '"wide"',
	colors: '{up = "#4ae168"}',
	'alerts.rules': '["mcap>100k"]',
	'alerts.bell': 'false',
	'alerts.desktop': 'true',
	'alerts.command': '["true"]',
	'alerts.quiet': '"23:00-07:00"',
	commands: '{x = {key = "f9", run = ["true"]}}',
	...Object.fromEntries(
		VIEWS.flatMap(view => [
			[`columns.${view}.filter`, '"mcap>50k"'],
			[`columns.${view}.sort`, '"volume_1h asc"'],
			[`columns.${view}.fields`, '["mcap", "age"]'],
			[`columns.${view}.limit`, '20'],
			[`columns.${view}.chains`, '["evm:8453"]'],
		]),
	),
	'risk.dev': '[1, 2]',
	'risk.top10': '[1, 2]',
	'risk.snipers': '[1, 2]',
	'risk.insiders': '[1, 2]',
	'risk.bundlers': '[1, 2]',
	'wallet.name': '"main"',
	'wallet.tokens': '["evm:8453:0x0000000000000000000000000000000000000001"]',
	'bridge.max-loss': '1',
	'wallet.require-simulation': 'true',
	'wallet.auto-lock': '"10m"',
	'trade.amounts': '[5, 20]',
	'trade.sell': '[50, 100]',
	'trade.slippage': '5',
	'trade.from': '"base:usdc"',
	'provider.domain-name': '"Other"',
	'provider.domain-version': '"2"',
	'provider.dex-a': '"a"',
	'provider.dex-b': '"b"',
	'provider.aliases': '{holders_count = "owners"}',
	rpc: '{"evm:8453" = "https://node.example.com"}',
	keys: '{cursor.down = ["n"]}',
};

/** Live settings that are in no state: each alert reads them, and each trade window that opens. */
const ASKED_FOR = [
	'alerts.bell',
	'alerts.desktop',
	'alerts.command',
	'alerts.quiet',
	'trade.amounts',
	'trade.sell',
	'trade.slippage',
	'trade.from',
];

const PATHS = Array.from(settingsIn(SETTINGS), ([path]) => path);

test('every setting has another value here: a new one must be tried, too', () => {
	expect(Object.keys(OTHERS).toSorted()).toEqual(PATHS.toSorted());
});

test.each(PATHS)('%s is taken over at once, or named as needing a restart', async path => {
	const {applied, waiting, config, state, was, text} = await changed('', `${path} = ${OTHERS[path]}`);
	expect([...applied, ...waiting]).toEqual([path]);
	expect(text).toBe(waiting.length > 0 ? `${path} needs a restart.` : `c.toml: ${path} applied.`);
	const usual = await read('');
	expect(isDeepStrictEqual(valueAt(config, path), valueAt(usual, path))).toBe(waiting.length > 0);
	if (ASKED_FOR.includes(path)) expect(applied).toEqual([path]);
	else expect(isDeepStrictEqual(state, was)).toBe(waiting.length > 0);
});

test.each(PATHS)('%s goes back to its default when its line is deleted', async path => {
	const {state, was, waiting} = await changed(`${path} = ${OTHERS[path]}`, '');
	const usual = stateOf(await read(''));
	if (path === 'read-only') expect({waiting, readOnly: state.readOnly}).toEqual({waiting: [path], readOnly: true});
	else if (waiting.length > 0) expect(state).toEqual(was);
	else {
		const {columns, ...rest} = state;
		const {columns: usualColumns, ...usualRest} = usual;
		expect(rest).toEqual(usualRest);
		for (const view of VIEWS) {
			const {filter, sortBy, sortOrder, fields, chains} = columns[view];
			expect(usualColumns[view]).toMatchObject({filter, sortBy, sortOrder, fields, chains});
		}
	}
});

describe('what is in force', () => {
	test('a flag and the environment keep winning over the file', async () => {
		const as = reader({theme: 'contrast'}, {NO_COLOR: '1'});
		const {applied, waiting, state} = await changed('', 'ui.theme = "light"\nui.color = "16"', as);
		expect({applied, waiting, theme: state.theme}).toEqual({applied: [], waiting: [], theme: 'contrast'});
	});

	test('a setting that needs a restart is named at each reload, until it is changed back', async () => {
		const first = await read('');
		const second = await reloadConfig(first, () => read('embedded.seed = 7'));
		const third = await reloadConfig(second.config, () => read('embedded.seed = 7\nui.motion = "none"'));
		expect(describeReload(third)).toBe('c.toml: ui.motion applied. embedded.seed needs a restart.');
		const fourth = await reloadConfig(third.config, () => read('ui.motion = "none"'));
		expect(describeReload(fourth)).toBe(undefined);
		expect(fourth.config.embedded.seed).toBe(1);
		expect(fourth.config.ui.motion).toBe('none');
	});

	test('only what changed in the file is taken over: a sort chosen by key stays', async () => {
		const inForce = await read('columns.new.sort = "mcap desc"');
		const reloaded = await reloadConfig(inForce, () => read('columns.new.sort = "mcap desc"\nui.motion = "none"'));
		const state = stateOf(inForce);
		const sorted = {
			...state,
			columns: {...state.columns, new: {...state.columns.new, sortBy: 'holders_count' as const}},
		};
		const next = reloaded.change(sorted, {background: undefined, nowMs: NOW_MS});
		expect(next.columns.new.sortBy).toBe('holders_count');
		expect(next.display.isStill).toBe(true);
	});

	test('keys of the file work, and a theme of auto goes back to the one that was chosen by key', async () => {
		const {state} = await changed('', OTHERS['keys'] === undefined ? '' : `keys = ${OTHERS['keys']}`);
		expect(boundKeys(state).find('list', 'n')?.id).toBe('cursor.down');
		const inForce = await read('ui.theme = "light"');
		const reloaded = await reloadConfig(inForce, () => read(''));
		const chosen = {...stateOf(inForce), chosenTheme: 'contrast'};
		expect(reloaded.change(chosen, {background: 'dark', nowMs: NOW_MS}).theme).toBe('contrast');
		expect(reloaded.change(stateOf(inForce), {background: 'light', nowMs: NOW_MS}).theme).toBe('light');
	});

	test('rules of the file come and go, those added by key stay, and one switched off stays off', async () => {
		const inForce = await read('alerts.rules = ["mcap>1", "mcap>2"]');
		const reloaded = await reloadConfig(inForce, () => read('alerts.rules = ["mcap>3", "mcap>2"]'));
		const state = stateOf(inForce);
		const own = {where: 'all', line: 'mcap>9', isOff: false, isConfigured: false} as const;
		const rules = [...state.alerts.rules.map(rule => ({...rule, isOff: rule.line === 'mcap>2'})), own];
		const next = reloaded.change({...state, alerts: {...state.alerts, rules}}, {background: undefined, nowMs: NOW_MS});
		expect(next.alerts.rules.map(rule => `${ruleText(rule)} ${rule.isOff} ${rule.isConfigured}`)).toEqual([
			'mcap>3 false true',
			'mcap>2 true true',
			'mcap>9 false false',
		]);
	});
});

describe('a file that can not be used', () => {
	test.each([
		['[ui]\ntheme = "blue"', "c.toml, line 2: The value of ui.theme can't be used: it must be one of "],
		['[ui]\n\ntheem = "dark"', 'c.toml, line 3: "theem" is not a setting: The nearest in [ui] is "theme". All'],
		['[ui\n', 'c.toml, line 1: The configuration file is not TOML: '],
		['columns.new.filter = "hldrz>1"', "c.toml, line 1: The value of columns.new.filter can't be used: "],
		['[keys]\n"cursor.down" = ["k"]', 'c.toml, line 2: '],
	])('changes nothing and names its line: %j', async (text, said) => {
		const inForce = await read('');
		const refused = reloadConfig(inForce, () => read(text));
		const error = await refused.catch((reason: unknown) => reason);
		expect(describeRefusal(error, file)).toContain(said);
		expect(describeRefusal(error, file)).toMatch(/All settings stay as they were\.$/);
		expect(describeRefusal(error, file)).not.toContain(home);
	});

	test('a missing named file is refused, too', async () => {
		const inForce = await read('');
		await rm(file);
		const error = await reloadConfig(inForce, () => loadConfig({flags: {config: file}, env: {HOME: home}})).catch(
			(reason: unknown) => reason,
		);
		expect(describeRefusal(error, file)).toBe(
			`c.toml: There is no such configuration file: ${file} was named, but it does not exist. All settings stay as they were.`,
		);
	});
});
