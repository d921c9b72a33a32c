import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {readAlertRule} from '../../../source/monitor/alerts/alert-rules.ts';
import {loadChoices, NO_CHOICES, saveChoices} from '../../../source/monitor/choices.ts';
import {
	deployerHide,
	type Hide,
	type Hides,
	hideId,
	keywordHide,
	tokenHide,
} from '../../../source/monitor/hides/hides.ts';
import {initialState} from '../../../source/monitor/initial-state.ts';
import {DEFAULT_SAVED_VIEW} from '../../../source/monitor/saved-views/saved-view.ts';
import type {MonitorState} from '../../../source/monitor/state.ts';
import type {Pin} from '../../../source/monitor/tokens/pins.ts';
import {VIEWS} from '../../../source/monitor/views.ts';
import {entryOf} from '../../helpers/entries.ts';
import {fc} from '../../helpers/properties.ts';

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'pulsetop-choices-'));
});
afterEach(() => rmSync(home, {recursive: true}));

const state = (more: Partial<MonitorState> = {}): MonitorState => ({
	...initialState({
		size: {columns: 100, rows: 24},
		nowMs: 0,
		service: {label: 's', embedded: false},
		theme: 'dark',
	}),
	chosenTheme: 'light',
	...more,
});

const hidesOf = (...hides: readonly Hide[]): Hides => new Map(hides.map(hide => [hideId(hide), hide]));

function ruleOf(line: string, more = {}) {
	const read = readAlertRule(line);
	if (!read.ok) throw new Error(`not a rule: ${line}`);
	return {...read.rule, ...more};
}

test('what was chosen is there the next time, in a file for its owner alone', async () => {
	const rules = [ruleOf('mcap>1m'), ruleOf('symbol:pepe', {isOff: true}), ruleOf('age<1m', {isConfigured: true})];
	const before = state();
	const pins = new Map<string, Pin>([
		['solana:solana|a', {view: 'bonded', symbol: 'AAA', price: 1.5e-7, atMs: 12}],
		['solana:solana|z', {view: 'new'}],
	]);
	const hidden = hidesOf(
		{...deployerHide(`0x${'Ab'.repeat(20)}`, 'BBB')},
		{...tokenHide(entryOf('b', {symbol: 'BBB', deployer: 'D1'}), 'new')},
		keywordHide('Elon')!,
	);
	await saveChoices(join(home, 'data'), {
		...before,
		...{pins, hidden, watchedPredictions: new Map([['m', 'A market']]), savedViews: new Map([[2, DEFAULT_SAVED_VIEW]])},
		alerts: {...before.alerts, rules},
	});
	const again = loadChoices(join(home, 'data')).choices;
	expect(again).toMatchObject({pins, hidden, watchedPredictions: new Map([['m', 'A market']]), theme: 'light'});
	expect([...again.savedViews.keys()]).toEqual([2]);
	// Rules of the configuration come from there each time.
	expect(again.alerts.map(rule => rule.isOff)).toEqual([false, true]);
	expect(statSync(join(home, 'data', 'choices.json')).mode & 0o777).toBe(0o600);
	expect(readdirSync(join(home, 'data'))).toEqual(['choices.json']);
});

test('tokens that an earlier version pinned are pinned still, at a price that is not known', async () => {
	writeFileSync(join(home, 'choices.json'), JSON.stringify({pins: [['solana:solana|b', 'bonded']]}));
	expect([...loadChoices(home).choices.pins]).toEqual([['solana:solana|b', {view: 'bonded'}]]);
});

test('the columns that an earlier version kept are read, and a saved view of it has a TRENDING as it begins', async () => {
	const line = 'pulsetop-view/1 name="Old" new.filter="mcap>1k" columns=bonded';
	writeFileSync(join(home, 'choices.json'), JSON.stringify({columns: 'bonded,new', presets: [['1', line]]}));
	const {shownViews, savedViews} = loadChoices(home).choices;
	expect(shownViews).toEqual(['bonded', 'new']);
	expect(savedViews.get(1)).toMatchObject({name: 'Old', shownViews: ['bonded']});
	expect(savedViews.get(1)?.columns.trending).toEqual(DEFAULT_SAVED_VIEW.columns.trending);
	await saveChoices(home, state({shownViews: ['trending', 'new']}));
	expect(loadChoices(home).choices.shownViews).toEqual(['trending', 'new']);
	writeFileSync(join(home, 'choices.json'), JSON.stringify({columns: 'new,later'}));
	expect(loadChoices(home).choices.shownViews).toBeUndefined();
});

test('tokens that an earlier version hid are hidden still', async () => {
	writeFileSync(join(home, 'choices.json'), JSON.stringify({hidden: [['solana:solana|b', 'BBB']]}));
	expect([...loadChoices(home).choices.hidden.values()]).toEqual([
		{kind: 'token', value: 'solana:solana|b', label: 'BBB', reason: 'by hand'},
	]);
});

test('of very many the newest are kept', async () => {
	const hidden = hidesOf(...Array.from({length: 1200}, (_, n) => keywordHide(`k${n}`)!));
	await saveChoices(home, state({hidden}));
	const again = loadChoices(home).choices;
	expect([again.hidden.size, again.hidden.has('keyword k1199'), again.hidden.has('keyword k699')]).toEqual([
		500,
		true,
		false,
	]);
});

test('a file that is missing, cut or full of anything counts as none, or as what is right in it', async () => {
	expect(loadChoices(home)).toEqual({choices: NO_CHOICES});
	const entry = fc.oneof(fc.jsonValue(), fc.tuple(fc.string(), fc.string()));
	const names = ['pins', 'hidden', 'markets', 'presets', 'alerts', 'theme', 'version', '__proto__', 'hides'];
	const file = fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.jsonValue(), fc.array(entry)));
	await fc.assert(
		fc.asyncProperty(file, fc.nat(40), async (json, cut) => {
			const text = JSON.stringify(json);
			writeFileSync(join(home, 'choices.json'), cut < 10 ? text.slice(0, -cut) : text);
			const read = loadChoices(home).choices;
			for (const pin of read.pins.values()) expect(VIEWS).toContain(pin.view);
			for (const hide of read.hidden.values()) expect(hide.label).toBeTypeOf('string');
		}),
		{numRuns: 100},
	);
});

const path = () => join(home, 'choices.json');
const asides = () => readdirSync(home).filter(name => name.startsWith('choices.json.damaged-'));

test.each([
	['cut', '{"version": 1, "pins": [["solana:so', /it is cut or was changed by hand/],
	['empty', '', /it is empty/],
	['of blanks', ' \n', /it is empty/],
	['of NULs', '\0'.repeat(512), /it has bytes without meaning/],
	['a list', '[1, 2]', /it is no list of settings/],
	['of a version without a number', '{"version": "two"}', /its version is no number/],
])(
	'a file that is %s is put aside with its reason, and the next choice does not write over it',
	async (_, text, why) => {
		writeFileSync(path(), text);
		const {choices, warning} = loadChoices(home);
		expect(choices).toEqual(NO_CHOICES);
		expect(warning).toMatch(why);
		const [kept] = asides();
		expect(warning).toContain(`The file is kept as ${kept}.`);
		await saveChoices(home, state());
		expect(readFileSync(join(home, kept!), 'utf8')).toBe(text);
		expect(loadChoices(home).warning).toBeUndefined();
		expect(asides()).toEqual([kept]);
	},
);

test('a file of a later version is read as far as it is known, and never written over', async () => {
	const later = JSON.stringify({version: 2, theme: 'light', pins: [['solana:solana|b', 'bonded']], rooms: {a: 1}});
	writeFileSync(path(), later);
	const {choices, warning} = loadChoices(home);
	expect(choices.theme).toBe('light');
	expect(warning).toBe(
		'choices.json was written by a later pulsetop (version 2 of the file): what you choose now is not kept.',
	);
	await expect(saveChoices(home, state())).rejects.toMatchObject({code: 'state-of-later-version'});
	expect(readFileSync(path(), 'utf8')).toBe(later);
	expect(readdirSync(home)).toEqual(['choices.json']);
});

test('a later version that wrote the file while this one ran is not written over', async () => {
	await saveChoices(home, state());
	const later = JSON.stringify({version: 3});
	writeFileSync(path(), later);
	await expect(saveChoices(home, state())).rejects.toThrow(/choices.json was not written/);
	expect(readFileSync(path(), 'utf8')).toBe(later);
});

test('members that this version does not know stay in the file, and those that it has dropped do not', async () => {
	writeFileSync(path(), JSON.stringify({version: 1, zoom: {new: 2}, hidden: [['solana:solana|x', 'XXX']]}));
	const {choices} = loadChoices(home);
	expect([...choices.hidden.values()].map(({label}) => label)).toEqual(['XXX']);
	await saveChoices(home, state());
	expect(JSON.parse(readFileSync(path(), 'utf8'))).toMatchObject({zoom: {new: 2}});
	// A token that was shown again does not come back as hidden.
	expect(loadChoices(home).choices.hidden.size).toBe(0);
});

test('a line that this version cannot read is named, has no effect, and stays in the file', async () => {
	const path = join(home, 'choices.json');
	const strange = {
		pins: [['solana:solana|x', 'a later column'], 7],
		alerts: [['volume_of_a_later_version>3', 'on']],
		presets: [['3', 'neither']],
		hides: [['wallet', 'w', 'W', 'later', '']],
		markets: 'not a list',
	};
	writeFileSync(
		path,
		JSON.stringify({version: 1, ...strange, alerts: [...strange.alerts, ['mcap>1m', 'on']], theme: 'light'}),
	);
	const {choices, warning} = loadChoices(home);
	expect(warning).toBe(
		"choices.json holds what can't be read: 2 pins, 1 hide, 1 watched market, 1 alert rule, 1 saved view. It stays in the file, without effect.",
	);
	expect(choices).toMatchObject({...NO_CHOICES, alerts: [{isOff: false}], theme: 'light'});
	await saveChoices(home, state({...choices, alerts: {...state().alerts, rules: choices.alerts}}));
	const written = JSON.parse(readFileSync(path, 'utf8'));
	expect(written).toMatchObject({
		...strange,
		markets: ['not a list'],
		alerts: [...strange.alerts, ['mcap>1m', 'on']],
	});
	expect(loadChoices(home)).toEqual({choices, warning});
});
