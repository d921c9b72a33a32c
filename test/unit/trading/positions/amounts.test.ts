import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {ChainUnread} from '../../../../source/trading/chain-reader.ts';
import {openJournal} from '../../../../source/trading/journal.ts';
import {type AmountSource, readAmounts} from '../../../../source/trading/positions/amounts.ts';
import {openBook} from '../../../../source/trading/positions/book.ts';
import {feedPrices} from '../../../../source/trading/positions/feed-prices.ts';
import {foldTrades} from '../../../../source/trading/positions/fold.ts';
import {openPositions} from '../../../../source/trading/positions/open-positions.ts';
import {positionWords, shortAmount} from '../../../../source/trading/positions/position-words.ts';
import type {PracticeChain} from '../../../../source/trading/practice-funds.ts';
import {entryOf} from '../../../helpers/entries.ts';
import {TOKEN, trade, usd, WALLET} from './trades.ts';

const NOW_MS = Date.UTC(2026, 10, 22, 12);
const BASE = 'evm:8453';

/** A chain as a table of balances by token, and of the transactions that it knows. */
function source({
	balances = {},
	transactions = [],
	nodes = [BASE],
	practice,
}: {
	balances?: Readonly<Record<string, bigint | Error>>;
	transactions?: readonly string[];
	nodes?: readonly string[];
	practice?: readonly Pick<PracticeChain, 'chainId' | 'isNew' | 'isRunning'>[] | Error;
}): AmountSource & {readonly asked: string[]; readonly most: () => number} {
	const asked: string[] = [];
	let running = 0;
	let most = 0;
	return {
		asked,
		most: () => most,
		nowMs: () => NOW_MS,
		chains: {
			knows: chainId => nodes.includes(chainId),
			async balance(chainId, token, owner) {
				asked.push(`${chainId} ${token} ${owner}`);
				most = Math.max(most, ++running);
				await Promise.resolve();
				running--;
				const found = balances[token];
				if (typeof found === 'bigint') return found;
				throw found ?? new ChainUnread(chainId, 'its node gave no number where one was due');
			},
			async request(_chainId, method, [first]) {
				if (method === 'eth_getCode') return balances[first as string] === undefined ? '0x' : '0x60';
				return transactions.includes(first as string) ? {status: '0x1'} : null;
			},
		},
		...(practice && {
			practice: async () => {
				if (practice instanceof Error) throw practice;
				return practice.map(chain => ({...chain, name: '', contracts: {}, tokens: []}));
			},
		}),
	};
}

const bought = (tokenRaw: bigint, more = {}) => trade({side: 'buy', tokenRaw, usdMicro: usd(1), ...more});
const READY = [{chainId: BASE, isNew: false, isRunning: true}];

test('balances are read from the chain of each token, for the wallet that traded it', async () => {
	const from = source({balances: {[TOKEN]: 7n}});
	const [holding] = foldTrades([bought(7n)]);
	const {amounts, gone} = await readAmounts([holding!], from);
	expect(amounts.get(holding!.id)).toEqual({kind: 'read', raw: 7n, atMs: NOW_MS});
	expect(from.asked).toEqual([`${BASE} ${TOKEN} ${WALLET}`]);
	expect(gone.size).toBe(0);
});

test('without a node, and with a node that fails, an amount is not read, which is not 0', async () => {
	const trades = [bought(1n, {chainId: 'evm:1'}), bought(2n), bought(3n, {token: `0x${'22'.repeat(20)}`})];
	const holdings = foldTrades(trades);
	const from = source({balances: {[TOKEN]: new ChainUnread(BASE, 'it did not answer'), [`0x${'22'.repeat(20)}`]: 3n}});
	const {amounts} = await readAmounts(holdings, from);
	expect(holdings.map(({id}) => amounts.get(id))).toEqual([
		{kind: 'unread', why: 'no node of Ethereum is configured'},
		{kind: 'unread', why: 'it did not answer'},
		{kind: 'read', raw: 3n, atMs: NOW_MS},
	]);
});

test('a real chain without the token says so, and no balance is made up', async () => {
	const [holding] = foldTrades([bought(7n)]);
	const {amounts, gone} = await readAmounts([holding!], source({}));
	expect(amounts.get(holding!.id)).toEqual({kind: 'unread', why: 'the token is not on this chain any more'});
	expect(gone.size).toBe(0);
});

test('a node is asked for six balances at a time', async () => {
	const tokens = Array.from({length: 40}, (_, n) => `0x${String(n).padStart(40, '0')}`);
	const from = source({balances: Object.fromEntries(tokens.map(token => [token, 1n]))});
	const {amounts} = await readAmounts(foldTrades(tokens.map(token => bought(1n, {token}))), from);
	expect(amounts.size).toBe(40);
	expect(from.most()).toBe(6);
});

test('a practice chain that is not running is started only where that was asked for', async () => {
	const [holding] = foldTrades([bought(7n)]);
	const from = source({balances: {[TOKEN]: 7n}, practice: [{chainId: BASE, isNew: false, isRunning: false}]});
	const {amounts} = await readAmounts([holding!], from, {startsChain: () => false});
	expect(amounts.get(holding!.id)).toMatchObject({kind: 'unread', why: 'its practice chain is not running'});
	expect(from.asked).toEqual([]);
	expect((await readAmounts([holding!], from)).amounts.get(holding!.id)).toMatchObject({kind: 'read'});
});

test('practice chains that cannot be listed leave every amount unread', async () => {
	const [holding] = foldTrades([bought(7n)]);
	const from = source({balances: {[TOKEN]: 7n}, practice: new ChainUnread(BASE, 'the service is down')});
	expect((await readAmounts([holding!], from)).amounts.get(holding!.id)).toMatchObject({
		kind: 'unread',
		why: expect.stringContaining('the service is down'),
	});
});

test('a practice chain that was reset has neither the token nor its transactions: all of it is gone', async () => {
	const trades = [bought(7n, {txHash: '0x1'}), bought(2n, {txHash: '0x2', atMs: NOW_MS})];
	const everything = new Set(trades.map(({intentId}) => intentId));
	const holdings = foldTrades(trades);
	const fresh = await readAmounts(holdings, source({practice: [{chainId: BASE, isNew: true, isRunning: false}]}));
	const begun = await readAmounts(holdings, source({practice: READY}));
	for (const {amounts, gone} of [fresh, begun]) {
		expect(amounts.get(holdings[0]!.id)).toMatchObject({kind: 'read', raw: 0n});
		expect(gone).toEqual(everything);
	}
});

test('bought again after a reset: what the old chain had is gone, what the new one has is held', async () => {
	const trades = [
		bought(7n, {txHash: '0x1', atMs: 1}),
		trade({side: 'sell', tokenRaw: 3n, usdMicro: usd(2), txHash: '0x2', atMs: 2}),
		bought(2n, {txHash: '0x3', atMs: 3}),
	];
	const from = source({balances: {[TOKEN]: 2n}, transactions: ['0x3'], practice: READY});
	const {gone} = await readAmounts(foldTrades(trades), from);
	expect(gone).toEqual(new Set(trades.slice(0, 2).map(({intentId}) => intentId)));
	expect(foldTrades(trades, gone)[0]).toMatchObject({trackedRaw: 2n, goneRaw: 4n});
});

test('less on a practice chain that knows the buys was moved elsewhere, and is not gone', async () => {
	const from = source({balances: {[TOKEN]: 2n}, transactions: ['0x1'], practice: READY});
	const {gone} = await readAmounts(foldTrades([bought(7n, {txHash: '0x1'})]), from);
	expect(gone.size).toBe(0);
});

/** The journal of one buy that has arrived and one that has not ended, as the flow writes it. */
function journalOf(path: string): ReturnType<typeof openJournal> {
	const journal = openJournal(path, {nowMs: () => NOW_MS});
	const intended = {
		originChainId: 'evm:42161',
		destinationChainId: BASE,
		originToken: `0x${'cc'.repeat(20)}`,
		destinationToken: TOKEN,
		symbol: 'USDC',
		decimals: 6,
		amountRaw: '25000000',
		authority: WALLET,
		recipient: WALLET,
		attempt: 1,
		deadlineS: NOW_MS / 1000 + 60,
		delegates: false,
		digest: '0x',
		mode: 'practice',
		trade: {side: 'buy', chainId: BASE, token: TOKEN, symbol: 'PENGU', decimals: 6, feeUSD: '0.25'},
	};
	journal.append('bridge.intended', '0xdone', intended);
	journal.append('bridge.answered', '0xdone', {kind: 'accepted', status: 'pending'});
	journal.append('bridge.status', '0xdone', {
		phase: 'filled',
		fillTxHash: '0xfill',
		arrivedRaw: '1000000000',
		arrivedDecimals: 6,
		readAtMs: NOW_MS,
	});
	journal.append('bridge.intended', '0xopen', intended);
	return journal;
}

test('a position is the cost of the journal, the amount of the chain and the price of the feed', async () => {
	const path = join(mkdtempSync(join(tmpdir(), 'positions-')), 'journal.jsonl');
	const journal = journalOf(path);
	const asked: unknown[] = [];
	const prices = feedPrices(
		{
			fetchPage: async view => {
				asked.push(view.includeTokens);
				return {entries: [entryOf(TOKEN, {latest_price: 0.03}, BASE)], size: 1};
			},
		},
		() => NOW_MS,
	);
	const {positions, underWay} = await openPositions({...source({balances: {[TOKEN]: 400_000_000n}}), journal}, prices);
	expect(asked).toEqual([[TOKEN]]);
	expect(positions).toHaveLength(1);
	expect(positions[0]).toMatchObject({
		holding: {trackedRaw: 1_000_000_000n, paidMicro: usd(25), feeMicro: usd(0.25)},
		boughtRaw: 400_000_000n,
		movedRaw: 600_000_000n,
		costMicro: usd(10),
		valueMicro: usd(12),
		openMicro: usd(2),
	});
	expect(positionWords(positions[0]!)).toEqual(['600 moved elsewhere, and their cost with them']);
	expect(underWay).toMatchObject([{intentId: '0xopen', side: 'buy', state: 'moving', wallet: WALLET, token: TOKEN}]);
});

test('a line of the journal that a crash cut is left out, and nothing is made up for it', async () => {
	const path = join(mkdtempSync(join(tmpdir(), 'positions-')), 'journal.jsonl');
	journalOf(path);
	const lines = readFileSync(path, 'utf8').split('\n').slice(0, 3);
	// The line that says that the buy has arrived.
	writeFileSync(path, `${lines[0]}\n${lines[1]}\n${lines[2]!.slice(0, 60)}`);
	const {positions, underWay} = await openPositions(
		{...source({balances: {[TOKEN]: 400n}}), journal: openJournal(path)},
		async () => new Map(),
	);
	expect(positions).toEqual([]);
	expect(underWay).toMatchObject([{intentId: '0xdone', state: 'moving'}]);
});

test('who asks during a reading gets a reading that begins after it', async () => {
	const path = join(mkdtempSync(join(tmpdir(), 'positions-')), 'journal.jsonl');
	let size = 0;
	const from = source({balances: {[TOKEN]: 1n}});
	const book = openBook({...from, journal: openJournal(path), journalSize: () => size});
	const read: number[] = [];
	book.subscribe(() => read.push(book.get().read!.holdings.length));
	const first = book.refresh();
	const again = book.refresh();
	await first;
	expect(read).toEqual([0]);
	expect(book.isOld()).toBe(false);
	journalOf(path);
	size = 1;
	expect(book.isOld()).toBe(true);
	await again;
	await book.refresh();
	expect(read.at(-1)).toBe(1);
	expect(book.get()).toMatchObject({readAtMs: NOW_MS});
	expect(book.isOld()).toBe(false);
});

test('a journal that was changed is said, and what was read before stays', async () => {
	const path = join(mkdtempSync(join(tmpdir(), 'positions-')), 'journal.jsonl');
	journalOf(path);
	const from = source({balances: {[TOKEN]: 1n}});
	let isBroken = false;
	const journal = openJournal(path);
	const records = () => {
		if (isBroken) throw new ChainUnread(BASE, 'line 2: its content does not fit its hash');
		return journal.records();
	};
	const book = openBook({...from, journal: {records}, journalSize: () => 1});
	await book.refresh();
	isBroken = true;
	await book.refresh();
	expect(book.get().problem?.why).toContain('line 2');
	expect(book.get().read?.holdings).toHaveLength(1);
	isBroken = false;
	await book.refresh();
	expect(book.get().problem).toBeUndefined();
});

test.each([
	[0n, 6, '0'],
	[1n, 0, '1'],
	[1_234_567_890n, 6, '1235'],
	[9999n, 0, '9999'],
	[10_000n, 0, '10K'],
	[1_000_000n, 0, '1M'],
	[10n ** 9n, 0, '1B'],
	[10n ** 12n, 0, '1T'],
	[99n, 6, '0.000099'],
	[12_345n, 9, '<0.0001'],
	[12_345_678_900n, 6, '12.35K'],
	[999_949n * 10n ** 6n, 6, '999.9K'],
	[5n * 10n ** 29n, 18, '500B'],
	[123_456n, 6, '0.1235'],
	[1n, 4, '0.0001'],
	[1n, 36, '<0.0001'],
])('%d raw units of %i decimals are written %s', (raw, decimals, text) => {
	expect(shortAmount(raw, decimals)).toBe(text);
});
