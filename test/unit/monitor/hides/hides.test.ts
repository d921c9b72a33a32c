import {mkdtemp, readFile, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {shownKeys} from '../../../../source/monitor/columns/shown-keys.ts';
import {whyOf} from '../../../../source/monitor/columns/why.ts';
import {
	countOfDeployer,
	deployerHide,
	formatHides,
	type Hide,
	type Hides,
	hideId,
	hidingOf,
	keywordHide,
	readHides,
	tokenHide,
} from '../../../../source/monitor/hides/hides.ts';
import {exportHides, readHidesFile} from '../../../../source/monitor/hides/hides-file.ts';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import type {MonitorState} from '../../../../source/monitor/state.ts';
import {snapshotArrived} from '../../../../source/monitor/transitions/column.ts';
import {hideRemoved, hidesAdded} from '../../../../source/monitor/transitions/hides.ts';
import {columnChanged, cursorSetAt} from '../../../../source/monitor/transitions/screen.ts';
import {entryOf} from '../../../helpers/entries.ts';
import {fc} from '../../../helpers/properties.ts';

const NOW = 1_700_000_000_000;
const DEV = '0xAbCdEf0123456789aBcDeF0123456789AbCdEf01';
const of = (...hides: readonly Hide[]): Hides => new Map(hides.map(hide => [hideId(hide), hide]));

test('a deployer hides all tokens of one address, on every EVM chain and in any letter case', () => {
	const hides = of(deployerHide(DEV, 'RUG'));
	expect(hidingOf(entryOf('0x1', {deployer: DEV.toLowerCase()}, 'evm:1'), hides)?.reason).toBe('deployer of RUG');
	expect(hidingOf(entryOf('0x2', {deployer: DEV}, 'evm:8453'), hides)).toBeDefined();
	expect(hidingOf(entryOf('0x3', {deployer: '0x1'}, 'evm:1'), hides)).toBeUndefined();
	expect(hidingOf(entryOf('0x4', {}, 'evm:1'), hides)).toBeUndefined();
});

test('a keyword hides tokens with it in symbol, name or description, in any letter case', () => {
	const hides = of(keywordHide(' Elon ')!);
	for (const figures of [{symbol: 'ELONX'}, {name: 'Baby elon'}, {description: 'for eLoN only'}])
		expect(hidingOf(entryOf('a', figures), hides)).toBeDefined();
	expect(hidingOf(entryOf('elon1', {symbol: 'PEPE'}), hides)).toBeUndefined();
	expect(keywordHide('  ')).toBeUndefined();
});

test('all hides as one line, read again, hide the same, with any words', () => {
	const label = fc.string({maxLength: 10, unit: 'binary-ascii'});
	const hide = fc.oneof(
		label.map(symbol => tokenHide(entryOf('So1aaa', {symbol}), 'new')),
		label.map(symbol => deployerHide(DEV, symbol)),
		fc.string({maxLength: 12}).map(word => keywordHide(word) ?? keywordHide('x')!),
	);
	fc.assert(
		fc.property(fc.array(hide), fc.constantFrom(' ' as const, '\n' as const), (hides, between) => {
			const read = readHides(formatHides(of(...hides), between));
			expect(read.ok && read.hides.map(hideId)).toEqual([...of(...hides).keys()]);
		}),
	);
});

test('a list that is not one, or of a newer version, is refused with the reason', () => {
	const problem = (text: string): string => {
		const read = readHides(text);
		return read.ok ? '' : read.problem;
	};
	expect(problem('elon')).toContain('begins with pulsetop-hidden/1');
	expect(problem('pulsetop-hidden/2 keyword="x"')).toContain('newer version');
	expect(problem('pulsetop-hidden/1 keyword=x')).toContain('keyword=x');
	expect(problem('pulsetop-hidden/1 token="../../etc"')).toContain('not understood');
	expect(readHides('pulsetop-hidden/1 keyword=“elon musk”')).toMatchObject({ok: true, hides: [{value: 'elon musk'}]});
});

test('what was hidden by whom is read again as far as the line has it', () => {
	const ADDRESS = 'So1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
	const read = (words: string) => {
		const all = readHides(`pulsetop-hidden/1 ${words}`);
		return all.ok ? all.hides : all.problem;
	};
	expect(read(`deployer="${DEV} RUG"`)).toMatchObject([{kind: 'deployer', reason: 'deployer RUG'}]);
	expect(read(`deployer="${DEV}"`)).toMatchObject([{kind: 'deployer', reason: 'imported'}]);
	expect(read('deployer="0xshort"')).toContain('not understood');
	expect(read(`wallet="${DEV}"`)).toContain('not understood');
	expect(read(`token="solana:solana|${ADDRESS} WIF"`)).toMatchObject([{label: 'WIF', reason: 'imported'}]);
	expect(read(`token="solana:solana|${ADDRESS}"`)).toMatchObject([{label: 'So1aaa…aaaaaa'}]);
	expect(formatHides(of(tokenHide(entryOf('So1aaa', {symbol: 'WIF'}), 'NEW'), deployerHide(DEV, 'RUG')))).toBe(
		`pulsetop-hidden/1 token="solana:solana|So1aaa WIF" deployer="${DEV.toLowerCase()} of RUG"`,
	);
});

test('five thousand hides are read, and no more', () => {
	const words = Array.from({length: 5001}, (_, at) => `keyword="k${at}"`).join(' ');
	const read = readHides(`pulsetop-hidden/1 ${words}`);
	expect(read.ok && read.hides).toHaveLength(5000);
});

test('a hidden token remembers its deployer, where one is known', () => {
	expect(tokenHide(entryOf('a', {deployer: DEV}), 'NEW')).toHaveProperty('deployer', DEV);
	expect(tokenHide(entryOf('a'), 'NEW')).not.toHaveProperty('deployer');
});

test('a file above 2 MB is no list of hides', async () => {
	const path = join(await mkdtemp(join(tmpdir(), 'pulsetop-hides-')), 'large.txt');
	await writeFile(path, ' '.repeat(2 * 1024 * 1024));
	expect(await readHidesFile(path)).toHaveLength(2 * 1024 * 1024);
	await writeFile(path, ' '.repeat(2 * 1024 * 1024 + 1));
	await expect(readHidesFile(path)).rejects.toThrow('larger than 2 MB');
});

test('a file is written once and never over another one', async () => {
	const home = await mkdtemp(join(tmpdir(), 'pulsetop-hides-'));
	const path = join(home, 'hidden.txt');
	const hides = of(deployerHide(DEV, 'RUG'), keywordHide('elon')!);
	expect(await exportHides(path, hides)).toBe(path);
	expect(readHides(await readHidesFile(path))).toMatchObject({
		ok: true,
		hides: [{kind: 'deployer'}, {kind: 'keyword'}],
	});
	await writeFile(path, 'mine');
	await expect(exportHides(path, hides)).rejects.toMatchObject({code: 'EEXIST'});
	expect(await readFile(path, 'utf8')).toBe('mine');
});

const state: MonitorState = columnChanged(
	initialState({size: {columns: 100, rows: 30}, nowMs: NOW, service: {label: 'test', embedded: true}, theme: 'dark'}),
	'new',
	column =>
		snapshotArrived(
			column,
			[
				entryOf('a', {created_at: 4, deployer: DEV, symbol: 'AAA', bonded: false, source: 'x'}),
				entryOf('b', {created_at: 3, deployer: DEV, symbol: 'BBB'}),
				entryOf('c', {created_at: 2, symbol: 'CCC'}),
				entryOf('d', {created_at: 1, symbol: 'DDD'}),
			],
			NOW,
		),
);

test('the cursor of a token that goes moves to the row that takes its place, and undo brings all of them back', () => {
	const at = cursorSetAt(state, 0);
	const hidden = hidesAdded(at, [deployerHide(DEV, 'AAA')]);
	expect(shownKeys(hidden, 'new')).toEqual(['solana:solana|c', 'solana:solana|d']);
	expect(hidden.columns.new.cursor).toBe('solana:solana|c');
	const [id] = [...hidden.hidden.keys()];
	expect(shownKeys(hideRemoved(hidden, id!), 'new')).toHaveLength(4);
});

test('hiding another token moves neither the cursor nor what is in sight', () => {
	const at = cursorSetAt(state, 1);
	const scrolled = columnChanged(at, 'new', c => ({...c, top: 2}));
	const after = hidesAdded(scrolled, [tokenHide(entryOf('d', {symbol: 'DDD'}), 'new')]);
	expect(after.columns.new).toMatchObject({cursor: 'solana:solana|b', top: 2});
	// A token that no longer stands in the column keeps the cursor, for when it comes back.
	const gone = columnChanged(at, 'new', c => ({...c, cursor: 'solana:solana|gone'}));
	expect(hidesAdded(gone, [tokenHide(entryOf('d', {symbol: 'DDD'}), 'new')]).columns.new.cursor).toBe(
		'solana:solana|gone',
	);
});

test('why says what hides a token', () => {
	const entry = state.columns.new.rows.get('solana:solana|a')!.entry;
	const words = (hide: Hide) => whyOf(hidesAdded(state, [hide]), entry, NOW)[0]!.text;
	expect(words(deployerHide(DEV, 'BBB'))).toContain('(deployer of BBB)');
	expect(words(keywordHide('aaa')!)).toContain('the keyword “aaa”');
});

test('the tokens of a deployer are counted once, in all columns and in any letter case', () => {
	const row = (address: string, deployer?: string) => {
		const entry = entryOf(address, deployer === undefined ? {} : {deployer}, 'evm:1');
		return [entry.key, {entry}] as const;
	};
	const columns = {
		new: {rows: new Map([row('0x1', DEV), row('0x2', DEV.toLowerCase()), row('0x3', '0x1'), row('0x4')])},
		bonded: {rows: new Map([row('0x1', DEV)])},
	};
	expect(countOfDeployer(columns, DEV)).toBe(2);
});

test('a token is hidden by itself first, then by its deployer, then by a word', () => {
	const entry = entryOf('0x1', {symbol: 'ELON', deployer: DEV}, 'evm:1');
	const all = [keywordHide('elon')!, deployerHide(DEV, 'RUG'), tokenHide(entry, 'NEW')];
	expect(hidingOf(entry, of(...all))?.kind).toBe('token');
	expect(hidingOf(entry, of(...all.slice(0, 2)))?.kind).toBe('deployer');
	expect(hidingOf(entry, of(all[0]!))?.kind).toBe('keyword');
	expect(hidingOf(entryOf('0x9', {symbol: 'X'}, 'evm:1'), of(...all))).toBeUndefined();
	expect(hidingOf(entryOf('0x9', {symbol: 'X', deployer: '0x5'}, 'evm:1'), of(...all))).toBeUndefined();
});
