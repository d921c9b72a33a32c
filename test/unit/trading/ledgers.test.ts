import {execFile, spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {appendFileSync, copyFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, test} from 'vitest';
import {ROOT} from '../../../source/tools/bundle.ts';
import {openCaps} from '../../../source/trading/caps.ts';
import type {ContractCode} from '../../../source/trading/contract-code.ts';
import {clearUnits, formatUnits, parseUnits, typedAmount} from '../../../source/trading/decimal.ts';
import {openJournal} from '../../../source/trading/journal.ts';
import {openPins} from '../../../source/trading/pins.ts';
import {fc} from '../../helpers/properties.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const spend = (id: string, amountRaw: bigint) => ({
	id,
	chainId: 'evm:8453',
	token: USDC,
	symbol: 'USDC',
	amountRaw,
	decimals: 6,
});
const proven = async () => {};

describe('amounts', () => {
	test('go to raw units and back exactly', () => {
		fc.assert(
			fc.property(fc.bigInt({min: 0n, max: 10n ** 40n}), fc.integer({min: 0, max: 18}), (raw, decimals) => {
				expect(parseUnits(formatUnits(raw, decimals), decimals)).toBe(raw);
			}),
		);
		expect(parseUnits('0.1', 18) + parseUnits('0.2', 18)).toBe(parseUnits('0.3', 18));
	});

	test.each([
		['1.000', ['1000', '1']],
		['1,000', ['1000', '1']],
		['12.345', ['12345', '12.3450']],
		['999,999', ['999999', '999.9990']],
		['1.234.567', ['1234567']],
		['1,234,567', ['1234567']],
		["1'000", ['1000']],
		['1’000’000', ['1000000']],
		['1 000', ['1000']],
		['1\u00a0000', ['1000']],
		['10_000', ['10000']],
		['1.234,5', ['1234.5']],
		['1,234.567', ['1234.567']],
		["1'234.50", ['1234.5']],
		['1 234,567', ['1234.567']],
	])('typed as %s are asked about, with every reading', (typed, readings) => {
		expect(() => typedAmount(typed)).toThrow(
			expect.objectContaining({code: 'amount-unclear', readings, advice: `Write ${readings.join(' or ')}.`}),
		);
		// Each reading is clear, so that the question comes once.
		for (const reading of readings) expect(typedAmount(reading)).toBe(reading);
	});

	test.each([
		'1000',
		'12.5',
		'0.125',
		'0.500',
		'1234.567',
		'1.0000',
		'12.3450',
		'1,5',
		'0,125',
		'000.123',
		'1.',
		'.5',
		'max',
		'-1,000',
		'1.00.0',
		'1,00,000',
		'1..000',
	])('typed as %s are taken as they are, or refused as no amount', typed => {
		expect(typedAmount(` ${typed} `)).toBe(typed);
	});

	test('are never asked about as the program writes a balance', () => {
		fc.assert(
			fc.property(fc.bigInt({min: 0n, max: 10n ** 24n}), fc.integer({min: 0, max: 18}), (raw, decimals) => {
				const text = clearUnits(raw, decimals);
				expect(typedAmount(text)).toBe(text);
				expect(parseUnits(text, Math.max(decimals, 4))).toBe(raw * 10n ** BigInt(Math.max(4 - decimals, 0)));
			}),
		);
	});

	test.each(['', '-1', '1e3', '1,000', '.5', '0x10', '1.2345678', 'NaN'])('are not taken from %j', text => {
		expect(() => parseUnits(text, 6)).toThrow(/not an amount/);
	});
});

describe('spending limits', () => {
	const HOUR_MS = 3_600_000;
	const START_MS = Date.UTC(2026, 0, 31, 23);

	/** The limits of one machine, over its clock and files; `open` is another process. */
	function machine() {
		const dir = temporaryDirectory();
		const clock = {nowMs: START_MS};
		const path = join(dir, 'caps.json');
		const nowMs = () => clock.nowMs;
		const open = () =>
			openCaps(path, {
				journal: openJournal(join(dir, 'journal.jsonl'), {nowMs, headPath: join(dir, 'head')}),
				nowMs,
			});
		return {clock, path, dir, open};
	}

	test('stop a transaction that is too large and 24 hours that are spent, across restarts', async () => {
		const {clock, open} = machine();
		const caps = open();
		await caps.setLimit('evm:8453', USDC, {perTransaction: '60', perDay: '100'}, proven);
		expect(() => caps.reserve(spend('a', 60_000_001n))).toThrow(/limit/);
		caps.reserve(spend('a', 60_000_000n));
		const again = open();
		expect(again.refusal(spend('b', 40_000_001n))).toBe(
			'60 USDC of 100 USDC for 24 hours are spent, 40.000001 USDC more would pass it',
		);
		again.reserve(spend('b', 40_000_000n));
		expect(again.spentToday('evm:8453', USDC.toLowerCase(), 6)).toBe(100_000_000n);
		// Midnight passes, and the 24 hours do not.
		clock.nowMs += 2 * HOUR_MS;
		expect(again.refusal(spend('c', 1n))).toContain('are spent');
		clock.nowMs += 22 * HOUR_MS - 1;
		expect(again.refusal(spend('c', 1n))).toContain('are spent');
		clock.nowMs += 1;
		again.reserve(spend('c', 60_000_000n));
	});

	test('are not passed by any way of setting the clock, as long as less than 24 hours pass', () => {
		const hours = fc.integer({min: -72, max: 72});
		fc.assert(
			fc.property(fc.array(hours, {maxLength: 6}), steps => {
				const {clock, open} = machine();
				open().reserve(spend('first', 5_000_000_000n / 5n));
				for (let n = 1; n < 5; n++) open().reserve(spend(`${n}`, 1_000_000_000n));
				let id = 0;
				for (const step of steps) {
					clock.nowMs = START_MS + step * HOUR_MS;
					// A clock that is ahead makes a day pass; what is spent then counts, too.
					const isAhead = step >= 24;
					if (!isAhead) expect(open().refusal(spend(`x${id}`, 1n))).toContain('are spent');
					else if (open().refusal(spend(`x${id}`, 1_000_000_000n)) === undefined)
						open().reserve(spend(`x${id++}`, 1_000_000_000n));
				}
				clock.nowMs = START_MS + HOUR_MS;
				expect(open().refusal(spend('last', 1n))).toContain('are spent');
			}),
			{numRuns: 30},
		);
	});

	test('count what was spent while the clock was back as of the newest time that they know', () => {
		const {clock, open} = machine();
		open().reserve(spend('a', 1_000_000_000n));
		clock.nowMs -= 25 * HOUR_MS;
		for (let n = 0; n < 4; n++) open().reserve(spend(`b${n}`, 1_000_000_000n));
		clock.nowMs = START_MS;
		expect(open().refusal(spend('c', 1n))).toContain('5000 USDC of 5000 USDC for 24 hours are spent');
	});

	test.each(['deleted', 'emptied of limits', 'edited by hand', 'replaced by an older copy'])(
		'whose file is %s are the lowest that are known, and what was spent still counts',
		async how => {
			const {path, open} = machine();
			const caps = open();
			await caps.setLimit('evm:8453', USDC, {perTransaction: '700', perDay: '3000'}, proven);
			const older = readFileSync(path, 'utf8');
			await caps.setLimit('evm:8453', USDC, {perTransaction: '9000', perDay: '9000'}, proven);
			caps.reserve(spend('a', 1_500_000_000n));
			if (how === 'deleted') rmSync(path);
			else if (how === 'replaced by an older copy') writeFileSync(path, older);
			else if (how === 'edited by hand') writeFileSync(path, older.replaceAll(/"(700|3000)"/g, '"99999"'));
			else writeFileSync(path, '{"version":1,"limits":{}}');
			expect(open().limitOf('evm:8453', USDC)).toEqual({perTransaction: '700', perDay: '3000', isLowest: true});
			expect(open().refusal(spend('b', 701_000_000n))).toMatch(
				/701 USDC is more than 700 USDC .*; the file of limits is/,
			);
			for (const id of ['b', 'c']) open().reserve(spend(id, 700_000_000n));
			expect(open().refusal(spend('d', 200_000_000n))).toContain('2900 USDC of 3000 USDC for 24 hours are spent');
			const refuse = () => Promise.reject(new Error('wrong passphrase'));
			await expect(open().setLimit('evm:8453', USDC, {perTransaction: '9000', perDay: '9000'}, refuse)).rejects.toThrow(
				/wrong/,
			);
			await open().setLimit('evm:8453', USDC, {perTransaction: '9000', perDay: '9000'}, proven);
			expect(open().limitOf('evm:8453', USDC)).toEqual({perTransaction: '9000', perDay: '9000'});
		},
	);

	test('of an earlier version go on to count what its file counted', () => {
		const {path, open} = machine();
		const day = Math.floor(START_MS / (24 * HOUR_MS));
		const spent = [{id: 'old', key: `evm:8453|${USDC.toLowerCase()}`, day, amountRaw: '4999000000', decimals: 6}];
		writeFileSync(path, JSON.stringify({version: 1, limits: {}, spent}));
		expect(open().refusal(spend('a', 1_000_001n))).toContain('4999 USDC of 5000 USDC');
		open().release('old');
		open().reserve(spend('a', 1_000_000_000n));
	});

	test('are shared by processes: of many that spend at once as many succeed as the limit allows', async () => {
		const {dir} = machine();
		const script = `
			import {openCaps} from ${JSON.stringify(join(ROOT, 'source/trading/caps.ts'))};
			import {openJournal} from ${JSON.stringify(join(ROOT, 'source/trading/journal.ts'))};
			const journal = openJournal(${JSON.stringify(join(dir, 'journal.jsonl'))}, {headPath: ${JSON.stringify(join(dir, 'head'))}});
			const caps = openCaps(${JSON.stringify(join(dir, 'caps.json'))}, {journal});
			let taken = 0;
			for (let n = 0; n < 4; n++) try {
				caps.reserve({id: process.pid + '-' + n, chainId: 'evm:8453', token: ${JSON.stringify(USDC)}, symbol: 'USDC', amountRaw: 1000000000n, decimals: 6});
				taken++;
			} catch (error) { if (error.code !== 'cap-exceeded') throw error; }
			process.stdout.write(String(taken));
		`;
		const run = promisify(execFile);
		const runs = Array.from({length: 3}, () => run(process.execPath, ['--input-type=module', '-e', script]));
		const taken = (await Promise.all(runs)).map(({stdout}) => Number(stdout));
		expect(taken.reduce((a, b) => a + b, 0)).toBe(5);
		const journal = openJournal(join(dir, 'journal.jsonl'), {headPath: join(dir, 'head')});
		expect(journal.records()).toHaveLength(5);
	});

	test('count a retry of the same intent once, and give back what certainly did not happen', () => {
		const caps = machine().open();
		caps.reserve(spend('a', 900_000_000n));
		caps.reserve(spend('a', 900_000_000n));
		expect(caps.spentToday('evm:8453', USDC, 6)).toBe(900_000_000n);
		caps.release('a');
		expect(caps.spentToday('evm:8453', USDC, 6)).toBe(0n);
	});

	test('can be lowered freely and raised only with proof', async () => {
		const caps = machine().open();
		const refuse = () => Promise.reject(new Error('wrong passphrase'));
		await caps.setLimit('evm:8453', USDC, {perTransaction: '5', perDay: '10'}, refuse);
		await expect(caps.setLimit('evm:8453', USDC, {perTransaction: '5.000001', perDay: '10'}, refuse)).rejects.toThrow(
			/wrong/,
		);
		expect(caps.limitOf('evm:8453', USDC)).toEqual({perTransaction: '5', perDay: '10'});
	});

	describe('of trades', () => {
		const LAUNCH = `0x${'6'.repeat(40)}`;
		const buy = (id: string, usd: bigint) => ({
			...spend(id, usd * 1_000_000n),
			trade: {side: 'buy' as const, usdMicro: usd * 1_000_000n},
		});
		const sell = (id: string, usd?: bigint) => ({
			id,
			chainId: 'evm:8453',
			token: LAUNCH,
			symbol: 'PEPE',
			amountRaw: 5_000_000n * 10n ** 18n,
			decimals: 18,
			trade: {side: 'sell' as const, ...(usd === undefined ? {} : {usdMicro: usd * 1_000_000n})},
		});
		const open = () => machine().open();

		test('count in dollars, buys and sells apart, and a buy in units besides', () => {
			const caps = open();
			expect(caps.refusal(buy('a', 201n))).toBe('201 USD of buys is more than 200 USD of buys for one transaction');
			for (const id of ['a', 'b', 'c', 'd', 'e']) caps.reserve(buy(id, 200n));
			expect(caps.refusal(buy('f', 1n))).toContain('1000 USD of buys of 1000 USD of buys for 24 hours are spent');
			expect(caps.spentToday('evm:8453', USDC, 6)).toBe(1_000_000_000n);
			expect(caps.refusal(sell('g', 5000n))).toBeUndefined();
			caps.reserve(sell('g', 5000n));
			expect(caps.refusal(sell('h', 1n))).toContain('of sells');
			expect([caps.spentToday('usd', 'buys', 6), caps.spentToday('usd', 'sells', 6)]).toEqual([
				1_000_000_000n,
				5_000_000_000n,
			]);
			expect(() => caps.reserve(buy('f', 1n))).toThrow(/limit/);
		});

		test('of millions of a launch have no limit in units, unless one was set for it', async () => {
			const caps = open();
			caps.reserve(sell('a', 10n));
			expect(caps.spentToday('evm:8453', LAUNCH, 18)).toBe(0n);
			await caps.setLimit('evm:8453', LAUNCH, {perTransaction: '1000', perDay: '1000'}, proven);
			expect(caps.refusal(sell('b', 10n))).toContain('5000000 PEPE is more than 1000 PEPE');
		});

		test('of no known worth are refused', () => {
			const caps = open();
			expect(caps.refusal(sell('a'))).toBe('what this trade is worth is not known');
			expect(() => caps.reserve(sell('a'))).toThrow(/limit/);
		});

		test('are given back in dollars and units, and a retry counts once', () => {
			const caps = open();
			caps.reserve(buy('a', 100n));
			caps.reserve(buy('a', 100n));
			expect(caps.spentToday('usd', 'buys', 6)).toBe(100_000_000n);
			caps.release('a');
			expect([caps.spentToday('usd', 'buys', 6), caps.spentToday('evm:8453', USDC, 6)]).toEqual([0n, 0n]);
		});

		test('are raised only with proof, and always listed', async () => {
			const caps = open();
			const refuse = () => Promise.reject(new Error('wrong passphrase'));
			await expect(caps.setLimit('usd', 'buys', {perTransaction: '201', perDay: '1000'}, refuse)).rejects.toThrow(
				/wrong/,
			);
			await caps.setLimit('usd', 'buys', {perTransaction: '20', perDay: '100'}, refuse);
			expect(caps.refusal(buy('a', 21n))).toContain('20 USD of buys for one transaction');
			expect(caps.known()).toEqual([
				{chainId: 'usd', token: 'buys'},
				{chainId: 'usd', token: 'sells'},
			]);
		});
	});

	test('sign nothing when their file is damaged', () => {
		const {path, open} = machine();
		writeFileSync(path, '{"version":1,"limits":{');
		expect(() => open().reserve(spend('a', 1n))).toThrow(/cannot be read/);
	});
});

describe('the journal', () => {
	test('is a chain of lines that another process can go on with', () => {
		const path = join(temporaryDirectory(), 'journal.jsonl');
		const one = openJournal(path);
		const two = openJournal(path);
		one.append('bridge.intended', 'i1', {attempt: 1});
		two.append('bridge.answered', 'i1', {status: 504});
		one.append('bridge.status', 'i1', {status: 'pending', nothing: undefined});
		expect(one.records().map(r => [r.seq, r.kind])).toEqual([
			[1, 'bridge.intended'],
			[2, 'bridge.answered'],
			[3, 'bridge.status'],
		]);
		expect(openJournal(path).records().length).toBe(3);
	});

	test('puts aside a last line that a crash cut, at any byte, and goes on', () => {
		const whole = join(temporaryDirectory(), 'journal.jsonl');
		openJournal(whole).append('wallet.unlocked', '1', {text: 'ü'});
		const first = readFileSync(whole).length;
		openJournal(whole).append('wallet.signed', '2', {});
		const bytes = readFileSync(whole);
		for (let cut = first + 1; cut < bytes.length; cut++) {
			const dir = temporaryDirectory();
			const path = join(dir, 'journal.jsonl');
			writeFileSync(path, bytes.subarray(0, cut));
			const journal = openJournal(path);
			expect(journal.records().map(r => r.kind)).toEqual(['wallet.unlocked']);
			expect(journal.append('wallet.locked', '3', {}).seq).toBe(2);
			expect(openJournal(path).records().length).toBe(2);
			expect(readdirSync(dir).filter(name => name.includes('.torn-'))).toHaveLength(1);
		}
	});

	test('is refused when another program changed, removed or cut off a line', () => {
		const path = join(temporaryDirectory(), 'journal.jsonl');
		const journal = openJournal(path);
		for (const amount of [1, 2, 3]) journal.append('bridge.intended', `i${amount}`, {amount});
		const lines = readFileSync(path, 'utf8').split('\n');
		writeFileSync(path, lines.join('\n').replace('"amount":2', '"amount":9'));
		expect(() => openJournal(path).records()).toThrow(/changed or is damaged/);
		writeFileSync(path, [lines[0], lines[2], ''].join('\n'));
		expect(() => openJournal(path).records()).toThrow(/changed/);
		writeFileSync(path, `${lines[0]}\n`);
		expect(() => journal.append('wallet.signed', 'y', {})).toThrow(/changed/);
		appendFileSync(path, 'not json\n');
		expect(() => openJournal(path).append('wallet.signed', 'y', {})).toThrow(
			expect.objectContaining({why: 'line 2: it is not JSON'}),
		);
	});
});

describe('the count of the journal, kept elsewhere', () => {
	function files() {
		const [dir, elsewhere] = [temporaryDirectory(), temporaryDirectory()];
		const [path, headPath] = [join(dir, 'journal.jsonl'), join(elsewhere, 'heads', 'real')];
		const open = () => openJournal(path, {headPath});
		const write = (...ids: string[]) => ids.map(id => open().append('wallet.signed', id, {}));
		const lines = () => readFileSync(path, 'utf8').split('\n').slice(0, -1);
		return {dir, path, headPath, open, write, lines};
	}
	const cut = expect.objectContaining({code: 'journal-cut', advice: expect.stringContaining('wallet log --confirm')});

	test.each([1, 2, 3, 4])('says that %i whole lines are missing at the end, and nothing is written then', gone => {
		const {path, open, write, lines} = files();
		write('a', 'b', 'c', 'd');
		const running = open();
		running.records();
		const kept = lines().slice(0, 4 - gone);
		writeFileSync(path, kept.map(line => `${line}\n`).join(''));
		for (const journal of [open(), running]) {
			expect(() => journal.records()).toThrow(cut);
			expect(() => journal.append('wallet.signed', 'e', {})).toThrow(cut);
		}
		expect(lines()).toEqual(kept);
		const there = gone === 4 ? 'none is' : `${4 - gone} are`;
		expect(() => open().records()).toThrow(
			expect.objectContaining({why: expect.stringContaining(`4 were written, ${there} there`)}),
		);
	});

	test('says it when a cut goes through a line, and when the file is deleted', () => {
		const {path, open, write} = files();
		write('a', 'b');
		truncateSync(path, readFileSync(path).length - 5);
		expect(() => open().records()).toThrow(cut);
		rmSync(path);
		expect(() => open().records()).toThrow(cut);
		expect(() => open().append('wallet.signed', 'c', {})).toThrow(cut);
	});

	test('says it when an older copy takes the place of the file, and when that goes on with other lines', () => {
		const {dir, path, open, write} = files();
		write('a');
		copyFileSync(path, join(dir, 'older'));
		write('b', 'c');
		copyFileSync(join(dir, 'older'), path);
		expect(() => open().records()).toThrow(cut);
		for (const id of ['x', 'y', 'z']) openJournal(path).append('wallet.signed', id, {});
		expect(() => open().records()).toThrow(
			expect.objectContaining({code: 'journal-cut', why: expect.stringContaining('the file is another copy')}),
		);
	});

	test('is no false alarm after a crash between the two writes, however many lines were not counted', () => {
		const {path, headPath, open, write} = files();
		write('a', 'b');
		const counted = readFileSync(headPath);
		write('c', 'd');
		writeFileSync(headPath, counted);
		expect(open().records()).toHaveLength(4);
		expect(open().append('wallet.signed', 'e', {}).seq).toBe(5);
		writeFileSync(path, readFileSync(path, 'utf8').split('\n').slice(0, 4).join('\n').concat('\n'));
		expect(() => open().records()).toThrow(cut);
	});

	test('takes over a journal without a count, and lines of the first version without hashes', () => {
		const {path, open, lines} = files();
		for (const id of ['a', 'b']) openJournal(path).append('wallet.signed', id, {});
		expect(open().append('wallet.signed', 'c', {}).seq).toBe(3);
		writeFileSync(path, `${lines()[0]}\n`);
		expect(() => open().records()).toThrow(cut);

		const first = files();
		const old = [1, 2].map(atMs => ({atMs, kind: 'wallet.signed', id: `${atMs}`, data: {}}));
		writeFileSync(first.path, old.map(line => `${JSON.stringify(line)}\n`).join(''));
		expect(
			first
				.open()
				.records()
				.map(({seq, id}) => [seq, id]),
		).toEqual([
			[1, '1'],
			[2, '2'],
		]);
		first.write('3');
		expect(first.open().records()).toHaveLength(3);
		writeFileSync(
			first.path,
			first
				.lines()
				.map((line, at) => `${at === 0 ? line.replace('"id":"1"', '"id":"9"') : line}\n`)
				.join(''),
		);
		expect(() => first.open().records()).toThrow(/changed/);
		// Among lines with hashes one without is no old one.
		const later = files();
		later.write('a');
		appendFileSync(later.path, `${JSON.stringify(old[0])}\n`);
		expect(() => later.open().records()).toThrow(/changed/);
	});

	test('goes on after a person agreed: with the lines that can be trusted, the rest kept beside', () => {
		for (const damage of ['cut', 'deleted', 'changed in the middle'] as const) {
			const {dir, path, open, write, lines} = files();
			write('a', 'b', 'c');
			const [one, two, three] = lines();
			if (damage === 'cut') writeFileSync(path, `${one}\n${two}\n`);
			else if (damage === 'deleted') rmSync(path);
			else writeFileSync(path, `${one}\n${two!.replace('"b"', '"x"')}\n${three}\n`);
			const there = {cut: 2, deleted: 0, 'changed in the middle': 1}[damage];
			open().confirm();
			expect(open().records().at(-1)).toMatchObject({
				seq: there + 1,
				kind: 'log.confirmed',
				data: {written: 3, there},
			});
			expect(readdirSync(dir).filter(name => name.includes('.before-'))).toHaveLength(damage === 'deleted' ? 0 : 1);
			open().append('wallet.signed', 'd', {});
			expect(open().records()).toHaveLength(there + 2);
			open().confirm();
			expect(open().records()).toHaveLength(there + 2);
		}
	});

	test('is right for a process that goes on while another confirms', () => {
		const {path, open, write, lines} = files();
		write('a', 'b', 'c');
		const running = open();
		running.records();
		writeFileSync(path, `${lines()[0]}\n`);
		expect(() => running.records()).toThrow(cut);
		open().confirm();
		expect(running.records().map(({kind}) => kind)).toEqual(['wallet.signed', 'log.confirmed']);
		expect(running.append('wallet.signed', 'd', {}).seq).toBe(3);
	});

	test('holds with two writers at once, each killed at any moment', async () => {
		const {path, headPath, open} = files();
		const script = `
			import {openJournal} from ${JSON.stringify(join(ROOT, 'source/trading/journal.ts'))};
			const journal = openJournal(${JSON.stringify(path)}, {headPath: ${JSON.stringify(headPath)}});
			for (;;) { journal.append('wallet.signed', String(process.pid), {}); process.stdout.write('1'); }
		`;
		for (let round = 0; round < 3; round++) {
			const writers = [1, 2].map(() => spawn(process.execPath, ['--input-type=module', '-e', script]));
			await Promise.all(
				writers.map(async writer => {
					let seen = '';
					for await (const chunk of writer.stdout) {
						seen += chunk;
						if (seen.length > 5 + round) break;
					}
					writer.kill('SIGKILL');
					await once(writer, 'close');
				}),
			);
			const records = open().records();
			expect(records.map(({seq}) => seq)).toEqual(records.map((_, at) => at + 1));
			expect(new Set(records.map(({id}) => id)).size).toBe(2 * (round + 1));
		}
	});
});

describe('accepted contracts', () => {
	const executor = contract('0x00000000000000000000000000000000abcdef12', 'a');
	const path = () => join(temporaryDirectory(), 'pins.json');

	function contract(address: string, code: string): ContractCode {
		const hash = createHash('sha256').update(code).digest('hex');
		const fingerprint = createHash('sha256')
			.update(code + address)
			.digest('hex');
		return {address, kind: 'plain', hash: `0x${hash}`, fingerprint: `0x${fingerprint}`, size: 1};
	}
	const tail = ({fingerprint}: ContractCode) => fingerprint.slice(-6);

	test('are remembered by chain, address and code after the end of the fingerprint was typed', () => {
		const file = path();
		const pins = openPins(file);
		expect(pins.verdict('evm:8453', 'batch executor', executor)).toEqual({kind: 'unknown'});
		for (const typed of ['000000', executor.address.slice(-6), ''])
			expect(() => pins.accept('evm:8453', 'batch executor', executor, typed)).toThrow(/not accepted/);
		pins.accept('evm:8453', 'batch executor', executor, ` ${tail(executor).toUpperCase()} `);
		expect(openPins(file).verdict('evm:8453', 'batch executor', executor)).toMatchObject({kind: 'pinned'});
		expect(pins.verdict('evm:137', 'batch executor', executor)).toEqual({kind: 'unknown'});
	});

	test('cannot be replaced while they are pinned: neither by another contract nor by other code', () => {
		const pins = openPins(path());
		pins.accept('evm:8453', 'batch executor', executor, tail(executor));
		const other = contract(`0x${'11'.repeat(20)}`, 'a');
		const changed = contract(executor.address, 'b');
		for (const [found, what] of [
			[other, 'contract'],
			[changed, 'code'],
		] as const) {
			expect(pins.verdict('evm:8453', 'batch executor', found)).toEqual({
				kind: 'changed',
				pinned: executor.address,
				what,
			});
			expect(() => pins.accept('evm:8453', 'batch executor', found, tail(found))).toThrow(
				/another contract than before/,
			);
		}
		expect(pins.revoke('evm:8453', 'batch executor')).toBe(true);
		pins.accept('evm:8453', 'batch executor', changed, tail(changed));
	});

	test('are expected where they were accepted, else where they ship with the program', () => {
		const known = [
			{role: 'bridge' as const, address: '0xb1', hash: '0x1'},
			{role: 'perp exchange' as const, chainId: 'evm:42161', address: '0xe1', hash: '0x2'},
		];
		const pins = openPins(path(), {known});
		expect(pins.expected('evm:8453', 'bridge')).toBe('0xb1');
		expect(pins.expected('evm:42161', 'perp exchange')).toBe('0xe1');
		expect(pins.expected('evm:8453', 'perp exchange')).toBeUndefined();
		expect(pins.expected('evm:8453', 'batch executor')).toBeUndefined();
		pins.accept('evm:8453', 'batch executor', executor, tail(executor));
		expect(pins.expected('evm:8453', 'batch executor')).toBe(executor.address);
		expect(pins.expected('evm:137', 'batch executor')).toBeUndefined();
	});

	test('from before their code was stored need a new confirmation, with the reason', () => {
		const file = path();
		const {address} = executor;
		const old = {version: 1, pins: [{chainId: 'evm:8453', role: 'batch executor', address, atMs: 1}]};
		writeFileSync(file, JSON.stringify(old));
		const pins = openPins(file);
		expect(pins.verdict('evm:8453', 'batch executor', executor)).toMatchObject({
			kind: 'unknown',
			why: expect.stringContaining('before its code was remembered'),
		});
		pins.accept('evm:8453', 'batch executor', executor, tail(executor));
		expect(pins.verdict('evm:8453', 'batch executor', executor)).toMatchObject({kind: 'pinned'});
		expect(pins.list()).toHaveLength(1);
	});

	test('that ship with the program need none, unless their code is another', () => {
		const pins = openPins(path(), {known: [{role: 'batch executor', address: executor.address, hash: executor.hash}]});
		expect(pins.verdict('evm:137', 'batch executor', executor)).toEqual({kind: 'known'});
		expect(pins.verdict('evm:137', 'bridge', executor)).toEqual({kind: 'unknown'});
		expect(pins.verdict('evm:137', 'batch executor', contract(executor.address, 'b'))).toEqual({kind: 'unknown'});
	});

	test('are contracts: an address without code, or one that lends its own, is refused', () => {
		const why = 'there is no code at this address';
		const found = {address: executor.address, kind: 'none', why} as const;
		expect(openPins(path()).verdict('evm:137', 'bridge', found)).toEqual({kind: 'refused', why});
	});
});
