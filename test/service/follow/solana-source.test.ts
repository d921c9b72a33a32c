import {expect, onTestFinished, test} from 'vitest';
import {entryKey} from '../../../source/contract/entry.ts';
import {createFollowedMarket, type FollowedMarket} from '../../../source/service/follow/followed-market.ts';
import type {MetadataFetch} from '../../../source/service/follow/metadata-fetch.ts';
import {createSolanaSource} from '../../../source/service/follow/solana/solana-source.ts';
import {SOLANA_CHAIN} from '../../../source/service/follow/solana/token-book.ts';
import {type FakeNode, FakeSolana, type FakeToken} from '../../helpers/fake-solana.ts';
import {PlainSink} from '../../helpers/plain-sink.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {until} from '../../helpers/until.ts';

const ALL = 793_100_000_000_000n;

async function chain(): Promise<{solana: FakeSolana; node: FakeNode}> {
	const solana = new FakeSolana();
	onTestFinished(() => solana.close());
	return {solana, node: await solana.listen()};
}

interface Following {
	readonly market: FollowedMarket;
	readonly lines: string[];
}

async function follow(
	solana: FakeSolana,
	nodes: readonly FakeNode[],
	{dataDir, nativeUSD, metadata}: {dataDir?: string; nativeUSD?: number; metadata?: MetadataFetch} = {},
): Promise<Following> {
	const lines: string[] = [];
	const followed = {
		chainId: SOLANA_CHAIN,
		name: 'solana',
		urls: nodes.map(node => node.url),
		...(nativeUSD !== undefined && {nativeUSD}),
	};
	const log = (line: string) => lines.push(line);
	const market = createFollowedMarket({
		options: {chains: [followed]},
		sources: [() => createSolanaSource(followed, {log, nowMs: solana.nowMs})],
		dataDir,
		nowMs: solana.nowMs,
		log,
		metadata,
	});
	onTestFinished(() => market.close());
	market.start();
	return {market, lines};
}

async function live({market}: Following): Promise<void> {
	await until(() => market.coverage()[0]?.state === 'live');
}

/** Mines until the market has everything that happened. */
async function caughtUp(solana: FakeSolana, {market}: Following): Promise<void> {
	// What waits is in the first of the slots that are made now.
	const slot = solana.slot + 1;
	solana.settle();
	await until(() => (market.coverage()[0]?.block ?? 0) >= slot);
	market.fill();
	market.advance(solana.nowMs());
}

/** Cuts the connection while some slots pass, and waits until it stands again. */
async function lose(solana: FakeSolana, node: FakeNode, following: Following): Promise<void> {
	const gaps = following.market.coverage()[0]!.gapCount;
	node.isMute = true;
	node.cut();
	solana.mine(3);
	node.isMute = false;
	await until(() => following.market.coverage()[0]!.gapCount === gaps + 1);
	await live(following);
	following.market.advance(solana.nowMs());
}

/** Mines until the market shows something that is read in the background. */
async function shownBy(solana: FakeSolana, {market}: Following, isShown: () => boolean): Promise<void> {
	await until(() => {
		solana.settle();
		market.advance(solana.nowMs());
		return isShown();
	});
}

function row({market}: Following, {mint}: FakeToken): number {
	const found = market.engine.rowOf(entryKey(SOLANA_CHAIN, mint));
	if (found === undefined) throw new Error('the token is not in the market');
	return found;
}

function figure(
	following: Following,
	token: FakeToken,
	name: 'bonding_percentage' | 'latest_price' | 'price_token' | 'liquidity' | 'holders_count' | 'volume_24h',
): number {
	return following.market.engine.reader(name)(row(following, token));
}

test('a launch shows, climbs, and moves to its pool', async () => {
	const {solana, node} = await chain();
	const following = await follow(solana, [node]);
	await live(following);
	const token = solana.launch({symbol: 'PEPE'});
	solana.mine();
	solana.trade(token, 'buy', ALL / 4n);
	await caughtUp(solana, following);
	expect(following.market.engine.listing(row(following, token)).token).toMatchObject({
		symbol: 'PEPE',
		name: 'PEPE coin',
	});
	expect(figure(following, token, 'bonding_percentage')).toBe(25);

	solana.trade(token, 'buy', ALL);
	solana.mine();
	expect(token.left).toBe(0n);
	await caughtUp(solana, following);
	expect(figure(following, token, 'bonding_percentage')).toBe(100);
	expect(following.market.engine.isBonded(row(following, token))).toBe(false);

	solana.migrate(token);
	solana.mine();
	solana.trade(token, 'buy', 1_000_000_000n, {isRouted: true});
	await caughtUp(solana, following);
	expect(following.market.engine.isBonded(row(following, token))).toBe(true);
	expect(following.market.engine.addresses(row(following, token)).pool).toBe(token.pool?.address);
	const {reserveToken, reserveQuote} = following.market.engine.rows;
	expect(reserveToken[row(following, token)]).toBeCloseTo(Number(token.pool!.base) / 1e6, 4);
	expect(reserveQuote[row(following, token)]).toBeCloseTo(Number(token.pool!.quote) / 1e9, 8);
});

test('a launch has what its document says, where that may be read', async () => {
	const {solana, node} = await chain();
	const asked: string[] = [];
	const metadata: MetadataFetch = {
		read: async uri => {
			asked.push(uri);
			return {description: 'a frog', telegram: 'https://t.me/pepe'};
		},
		close: async () => {},
	};
	const following = await follow(solana, [node], {metadata});
	await live(following);
	const token = solana.launch({symbol: 'PEPE'});
	solana.mine();
	solana.trade(token, 'buy', ALL / 4n);
	await caughtUp(solana, following);
	const profile = () => following.market.engine.listing(row(following, token)).token.profile;
	await until(() => profile().description !== undefined);
	expect(profile()).toMatchObject({
		description: 'a frog',
		telegram: 'https://t.me/pepe',
		uri: 'https://example.org/PEPE',
	});
	expect(asked).toEqual(['https://example.org/PEPE']);
	expect(figure(following, token, 'bonding_percentage')).toBe(25);
});

test('prices are those of the pool of SOL and USDC, or what the user set', async () => {
	const {solana, node} = await chain();
	const [read, set] = [await follow(solana, [node]), await follow(solana, [node], {nativeUSD: 50})];
	await Promise.all([live(read), live(set)]);
	await until(() => node.followers === 2);
	const token = solana.launch();
	solana.trade(token, 'buy', ALL / 10n);
	await Promise.all([caughtUp(solana, read), until(() => (set.market.coverage()[0]?.block ?? 0) > token.bornSlot)]);
	set.market.advance(solana.nowMs());
	const price = figure(read, token, 'latest_price');
	// 79.31 million tokens of a curve of 1073 million and 30 SOL: what it asks after that, with the product of both as before.
	expect(price).toBeCloseTo(((30 * 1073) / (1073 - 79.31) / (1073e6 - 79.31e6)) * 200, 12);
	expect(figure(set, token, 'latest_price')).toBeCloseTo(price / 4, 12);
});

test('a coin that is quoted in another coin has a price in dollars over both', async () => {
	const {solana, node} = await chain();
	const following = await follow(solana, [node]);
	await live(following);
	const first = solana.launch();
	solana.trade(first, 'buy', ALL / 10n);
	solana.mine();
	const second = solana.launch({quote: first.mint});
	solana.trade(second, 'buy', ALL / 10n);
	const strange = solana.launch({quote: solana.wallet(99)});
	solana.trade(strange, 'buy', ALL / 10n);
	await caughtUp(solana, following);
	const inFirst = figure(following, second, 'price_token');
	const spot = (Number(first.virtualQuote) / 1e9 / (Number(first.virtualToken) / 1e6)) * 200;
	expect(figure(following, second, 'latest_price')).toBeCloseTo(inFirst * spot, 10);
	expect(figure(following, strange, 'latest_price')).toBeNaN();
	expect(following.market.engine.rows.reserveQuote[row(following, strange)]).toBeGreaterThan(0);
});

test('failed transactions, events of other programs, repetitions and cut logs change nothing', async () => {
	const {solana, node} = await chain();
	const plain = await solana.listen();
	const [odd, even] = [await follow(solana, [node]), await follow(solana, [plain])];
	await Promise.all([live(odd), live(even)]);
	node.repeats = true;
	node.reversesPrograms = true;
	const token = solana.launch({look: {isCut: true}});
	solana.trade(token, 'buy', ALL / 8n, {hasForeign: true});
	solana.trade(token, 'buy', ALL / 8n, {isFailed: true});
	solana.mine();
	solana.trade(token, 'buy', ALL, {isCut: true, isRouted: true});
	solana.migrate(token);
	solana.trade(token, 'sell', ALL / 16n);
	solana.mine();
	await Promise.all([
		caughtUp(solana, odd),
		until(() => (even.market.coverage()[0]?.block ?? 0) >= token.bornSlot + 1),
	]);
	even.market.advance(solana.nowMs());
	for (const following of [odd, even]) {
		expect(following.market.engine.rows.reserveToken[row(following, token)]).toBeCloseTo(
			Number(token.pool!.base) / 1e6,
			4,
		);
		expect(following.market.engine.applied - following.market.engine.ignored).toBe(1 + token.trades + 1);
		expect(following.market.engine.isBonded(row(following, token))).toBe(true);
	}
	expect(node.calls.get('getTransaction')).toBe(2);
});

test('after a cut connection the state is read from accounts, and the time is a gap', async () => {
	const {solana, node} = await chain();
	const following = await follow(solana, [node]);
	await live(following);
	const [climbing, full] = [solana.launch(), solana.launch()];
	solana.trade(climbing, 'buy', ALL / 10n);
	await caughtUp(solana, following);

	node.isMute = true;
	node.cut();
	solana.trade(climbing, 'buy', ALL / 5n);
	solana.trade(full, 'buy', ALL);
	solana.mine();
	solana.migrate(full);
	solana.mine(5);
	node.isMute = false;
	await until(() => following.market.coverage()[0]?.gapCount === 1);
	await live(following);
	following.market.advance(solana.nowMs());
	expect(following.market.coverage()[0]?.gaps).toHaveLength(1);
	expect(figure(following, climbing, 'bonding_percentage')).toBe(30);
	expect(following.market.engine.isBonded(row(following, full))).toBe(true);
	expect(following.market.engine.addresses(row(following, full)).pool).toBe(full.pool?.address);
	expect(figure(following, climbing, 'holders_count')).toBeNaN();

	solana.trade(full, 'buy', 5_000_000_000n);
	await caughtUp(solana, following);
	expect(following.market.engine.rows.reserveToken[row(following, full)]).toBeCloseTo(Number(full.pool!.base) / 1e6, 4);
});

test('another node is taken when one fails', async () => {
	const {solana, node} = await chain();
	const second = await solana.listen();
	node.genesis = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
	const following = await follow(solana, [node, second]);
	await until(() => following.market.coverage()[0]?.state === 'live');
	expect(following.market.coverage()[0]).toMatchObject({nodes: 2, node: new URL(second.url).host});
});

test('limits of a node are obeyed, and nothing says more of its address than the host', async () => {
	const {solana, node} = await chain();
	node.faults.push('refuse-429', 'error-500', 'garbage');
	const following = await follow(solana, [node]);
	await live(following);
	expect(JSON.stringify(following.market.coverage()) + following.lines.join()).not.toContain('secret');
	node.isMute = true;
	node.cut();
	node.faults.push('garbage', 'garbage', 'garbage');
	await until(() => following.market.coverage()[0]?.state === 'unreachable');
	expect(JSON.stringify(following.market.coverage()) + following.lines.join()).not.toContain('secret');
});

test('a quiet stretch does not look late: the lag is counted by slots', async () => {
	const {solana, node} = await chain();
	const following = await follow(solana, [node]);
	await live(following);
	solana.launch();
	await caughtUp(solana, following);
	// A minute in which the programs write nothing.
	for (let second = 0; second < 60; second++) solana.mine(2);
	await until(() => (following.market.coverage()[0]?.block ?? 0) >= solana.slot - 10);
	const {state, lagMs, head} = following.market.coverage()[0]!;
	expect({state, head}).toEqual({state: 'live', head: solana.slot});
	expect(lagMs).toBeLessThan(6000);
});

test('a node that sends slots and never a log is said to be behind', async () => {
	const {solana, node} = await chain();
	const following = await follow(solana, [node]);
	await live(following);
	solana.mine(400);
	await until(() => following.market.coverage()[0]?.state === 'behind');
	expect(following.market.coverage()[0]!.why).toBe('the node sends slots, and no logs');
});

test('a restart goes on with the tokens it knew', async () => {
	const {solana, node} = await chain();
	const dataDir = temporaryDirectory();
	const before = await follow(solana, [node], {dataDir});
	await live(before);
	const token = solana.launch();
	solana.trade(token, 'buy', ALL / 10n);
	await caughtUp(solana, before);
	await before.market.close();

	solana.trade(token, 'buy', ALL / 10n);
	solana.mine(4);
	const after = await follow(solana, [node], {dataDir});
	await live(after);
	after.market.advance(solana.nowMs());
	expect(figure(after, token, 'bonding_percentage')).toBe(20);
	solana.trade(token, 'buy', ALL);
	solana.migrate(token);
	await caughtUp(solana, after);
	expect(after.market.engine.isBonded(row(after, token))).toBe(true);
	expect(after.market.coverage()[0]?.gapCount).toBe(1);
});

/** The wallets that an entry with details names, with their tokens. */
function holdersOf(following: Following, token: FakeToken): unknown {
	const {holders_list: holders} = following.market.assetEntry(row(following, token), 20);
	return (holders as {address: string; balance: number}[]).map(({address, balance}) => [address, balance]);
}

test('the details of a token whose holders are not known any more name those that the chain names', async () => {
	const {solana, node} = await chain();
	const dataDir = temporaryDirectory();
	const following = await follow(solana, [node], {dataDir});
	await live(following);
	const [token, other] = [solana.launch(), solana.launch()];
	const [ann, bob, cid] = [1, 2, 3].map(each => solana.wallet(each)) as [string, string, string];
	solana.trade(token, 'buy', ALL / 10n);
	await caughtUp(solana, following);
	following.market.detailsWanted!(row(following, token));
	expect(node.calls.get('getTokenLargestAccounts')).toBeUndefined();

	await lose(solana, node, following);
	solana.give(token, ann, 5_000_000n);
	solana.give(token, bob, 4_000_000n);
	solana.give(token, ann, 2_500_000n);
	// Where LaunchLab keeps the tokens of its curves.
	solana.give(token, 'WLHv2UAZm6z4KyaaELi5pjdbJh6RESMva1Rnn8pJVVh', 9_000_000_000n);
	expect(holdersOf(following, token)).toEqual([]);
	following.market.detailsWanted!(row(following, token));
	following.market.detailsWanted!(row(following, token));
	await until(() => node.calls.get('getTokenLargestAccounts') === 1);
	await shownBy(solana, following, () => (holdersOf(following, token) as unknown[]).length > 0);
	const expected = [
		[ann, 7.5],
		[bob, 4],
	];
	expect(holdersOf(following, token)).toEqual(expected);
	expect(holdersOf(following, other)).toEqual([]);
	expect(figure(following, token, 'holders_count')).toBeNaN();
	expect(node.calls.get('getTokenLargestAccounts')).toBe(1);
	await following.market.close();

	node.isMute = true;
	const after = await follow(solana, [node], {dataDir});
	after.market.fill();
	expect(holdersOf(after, token)).toEqual(expected);
	node.isMute = false;

	// In a pool the tokens of the pool are no holding either.
	await live(after);
	solana.trade(token, 'buy', ALL);
	solana.migrate(token);
	solana.give(token, cid, 6_000_000n);
	await caughtUp(solana, after);
	after.market.detailsWanted!(row(after, token));
	await shownBy(solana, after, () => JSON.stringify(holdersOf(after, token)).includes(cid));
	expect(holdersOf(after, token)).toEqual([
		[ann, 7.5],
		[cid, 6],
		[bob, 4],
	]);
});

test('a node that does not name holders is not asked for more, and what else it is asked for does not wait', async () => {
	const {solana, node} = await chain();
	node.refuses.add('getTokenLargestAccounts');
	const following = await follow(solana, [node]);
	await live(following);
	const [token, other] = [solana.launch(), solana.launch()];
	await caughtUp(solana, following);
	await lose(solana, node, following);
	following.market.detailsWanted!(row(following, token));
	await until(() => following.lines.some(line => line.includes('getTokenLargestAccounts')));
	following.market.detailsWanted!(row(following, other));
	const late = solana.launch({look: {isCut: true}});
	await caughtUp(solana, following);
	expect(row(following, late)).toBeGreaterThanOrEqual(0);
	expect(node.calls.get('getTokenLargestAccounts')).toBe(1);
	expect(following.lines.join()).not.toContain('secret');
});

test('a transaction whose logs were cut is asked of every node', async () => {
	const {solana, node} = await chain();
	const second = await solana.listen();
	node.losesTransactions = true;
	const following = await follow(solana, [node, second]);
	await live(following);
	const token = solana.launch();
	solana.trade(token, 'buy', ALL / 4n, {isCut: true});
	await caughtUp(solana, following);
	expect(figure(following, token, 'bonding_percentage')).toBe(25);
	expect(following.market.coverage()[0]).toMatchObject({unknownBlocks: 0});
	expect(following.market.engine.reader('volume_24h')(row(following, token))).toBeGreaterThan(0);
});

test('a transaction that no node gives makes the figures of its tokens unknown, and of no other', async () => {
	const {solana, node} = await chain();
	const dataDir = temporaryDirectory();
	// The clock of the chain runs far here, and a price that is read is soon too old.
	const following = await follow(solana, [node], {dataDir, nativeUSD: 200});
	await live(following);
	const tokens = Array.from({length: 6}, () => solana.launch());
	const [calm, busy, lost, moved, pooled, filled] = tokens as [
		FakeToken,
		FakeToken,
		FakeToken,
		FakeToken,
		FakeToken,
		FakeToken,
	];
	for (const token of tokens) solana.trade(token, 'buy', ALL / 10n);
	for (const token of [moved, pooled]) solana.trade(token, 'buy', ALL);
	solana.migrate(pooled);
	await caughtUp(solana, following);

	node.losesTransactions = true;
	solana.trade(lost, 'buy', ALL / 10n, {isCut: true});
	solana.trade(busy, 'buy', ALL / 10n);
	solana.trade(pooled, 'sell', ALL / 20n, {isCut: true});
	solana.trade(filled, 'buy', ALL, {isCut: true});
	solana.migrate(moved, {isCut: true});
	const isKnown = (token: FakeToken) => figure(following, token, 'volume_24h') > 0;
	await shownBy(solana, following, () => {
		solana.trade(busy, 'buy', ALL / 1_000_000n);
		// Accounts that are read between the two would be ahead of their slot.
		solana.mine();
		return ![lost, moved, pooled, filled].some(isKnown);
	});
	await caughtUp(solana, following);
	for (const token of [calm, busy]) {
		expect(isKnown(token)).toBe(true);
		expect(figure(following, token, 'holders_count')).toBeGreaterThan(0);
	}
	for (const token of [lost, moved, pooled, filled]) expect(figure(following, token, 'holders_count')).toBeNaN();
	expect(figure(following, lost, 'bonding_percentage')).toBe(20);
	expect(figure(following, filled, 'bonding_percentage')).toBe(100);
	const {engine} = following.market;
	expect(engine.isBonded(row(following, moved))).toBe(true);
	expect(engine.rows.reserveToken[row(following, pooled)]).toBeCloseTo(Number(pooled.pool!.base) / 1e6, 4);
	// It is no time that was not seen: the chain has no gap, and the slot is counted.
	expect(following.market.coverage()[0]).toMatchObject({gapCount: 0, unknownBlocks: 4});

	await following.market.close();
	node.isMute = true;
	const after = await follow(solana, [node], {dataDir});
	after.market.fill();
	after.market.advance(solana.nowMs());
	expect(tokens.map(token => figure(after, token, 'volume_24h') > 0)).toEqual(
		tokens.map(token => token === calm || token === busy),
	);
});

test('a source whose call of the sink failed ends, and says why', async () => {
	const {solana, node} = await chain();
	const sink = new PlainSink();
	sink.append = () => Promise.reject(new RangeError('no room'));
	const source = createSolanaSource({chainId: SOLANA_CHAIN, name: 'solana', urls: [node.url]}, {nowMs: solana.nowMs});
	onTestFinished(() => source.stop());
	source.start(sink, new Map());
	solana.launch({symbol: 'PEPE'});
	const mining = setInterval(() => solana.mine(), 20);
	onTestFinished(() => clearInterval(mining));
	expect(await source.ended).toEqual(new RangeError('no room'));
	expect(sink.coverage?.state).toBe('stalled');
});
