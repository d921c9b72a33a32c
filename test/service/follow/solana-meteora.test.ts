import {expect, onTestFinished, test} from 'vitest';
import {entryKey} from '../../../source/contract/entry.ts';
import {createFollowedMarket, type FollowedMarket} from '../../../source/service/follow/followed-market.ts';
import {createSolanaSource} from '../../../source/service/follow/solana/solana-source.ts';
import {SOLANA_CHAIN} from '../../../source/service/follow/solana/token-book.ts';
import {METEORA_DBC} from '../../../source/service/follow/solana/venues/meteora-dbc.ts';
import {type FakeNode, FakeSolana} from '../../helpers/fake-solana.ts';
import {meteoraLaunch, meteoraMigration, meteoraTrade} from '../../helpers/meteora.ts';
import {until} from '../../helpers/until.ts';

async function follow(meteoraDbc: boolean): Promise<{solana: FakeSolana; node: FakeNode; market: FollowedMarket}> {
	const solana = new FakeSolana();
	onTestFinished(() => solana.close());
	const node = await solana.listen();
	const followed = {chainId: SOLANA_CHAIN, name: 'solana', urls: [node.url], ...(meteoraDbc && {meteoraDbc})};
	const market = createFollowedMarket({
		options: {chains: [followed]},
		sources: [() => createSolanaSource(followed, {nowMs: solana.nowMs})],
		dataDir: undefined,
		nowMs: solana.nowMs,
	});
	onTestFinished(() => market.close());
	market.start();
	await until(() => market.coverage()[0]?.state === 'live');
	return {solana, node, market};
}

async function caughtUp(solana: FakeSolana, market: FollowedMarket): Promise<void> {
	const slot = solana.slot + 1;
	solana.settle();
	await until(() => (market.coverage()[0]?.block ?? 0) >= slot);
	market.fill();
	market.advance(solana.nowMs());
}

function tokenOf(solana: FakeSolana) {
	return {mint: solana.wallet(50), pool: solana.wallet(51), creator: solana.wallet(52)};
}

function trade(solana: FakeSolana, reserve: bigint) {
	const side = 'buy' as const;
	const amounts = {input: 1_010_000_000n, output: 50_000_000_000_000n, fee: 10_000_000n, isFeeOnInput: true};
	const timeS = BigInt(Math.floor(solana.nowMs() / 1000));
	return {wallet: solana.wallet(1), side, ...amounts, reserve, threshold: 80_000_000_000n, timeS};
}

test('where wanted, tokens of Meteora launch, climb, and stand bonded with what they left their curve with', async () => {
	const {solana, node, market} = await follow(true);
	const token = tokenOf(solana);
	solana.meteora(meteoraLaunch(token));
	solana.mine();
	solana.meteora(meteoraTrade(token, trade(solana, 20_000_000_000n)));
	await caughtUp(solana, market);
	const row = () => market.engine.rowOf(entryKey(SOLANA_CHAIN, token.mint))!;
	const figure = (name: 'bonding_percentage' | 'volume_24h' | 'latest_price' | 'holders_count') =>
		market.engine.reader(name)(row());
	expect(market.engine.listing(row()).token).toMatchObject({symbol: 'FROG', name: 'Frog coin'});
	expect(figure('bonding_percentage')).toBe(25);
	expect(figure('holders_count')).toBe(1);
	expect(figure('volume_24h')).toBeCloseTo(200, 8);
	expect(market.engine.isBonded(row())).toBe(false);
	expect(node.calls.get('getTransaction')).toBe(2);

	solana.meteora(meteoraTrade(token, trade(solana, 80_000_000_000n)));
	await caughtUp(solana, market);
	expect(figure('bonding_percentage')).toBe(100);
	const price = figure('latest_price');
	solana.meteora(meteoraMigration(token, solana.wallet(53)));
	await caughtUp(solana, market);
	expect(market.engine.isBonded(row())).toBe(true);
	expect(market.engine.addresses(row()).pool).toBe(solana.wallet(53));
	expect(figure('latest_price')).toBe(price);
	expect(market.coverage()[0]).toMatchObject({unknownEvents: 0, unknownBlocks: 0});
});

test('a transaction of Meteora that is not read makes the figures of its tokens unknown, and of no others', async () => {
	const {solana, node, market} = await follow(true);
	const token = tokenOf(solana);
	const other = solana.launch();
	solana.meteora(meteoraLaunch(token));
	solana.mine();
	solana.trade(other, 'buy', 1_000_000_000_000n);
	solana.meteora(meteoraTrade(token, trade(solana, 20_000_000_000n)));
	await caughtUp(solana, market);
	// More than half of the budget of the call.
	for (let count = 0; count < 30; count++) solana.meteora(meteoraTrade(token, trade(solana, 20_000_000_000n)));
	await caughtUp(solana, market);
	const volume = (mint: string) =>
		market.engine.reader('volume_24h')(market.engine.rowOf(entryKey(SOLANA_CHAIN, mint))!);
	expect(volume(token.mint)).toBeNaN();
	expect(volume(other.mint)).toBeGreaterThan(0);
	expect(market.coverage()[0]!.unknownBlocks).toBeGreaterThan(0);
	expect(node.calls.get('getTransaction')).toBeLessThan(30);
});

test('unless it is wanted, nothing of Meteora is subscribed or asked', async () => {
	const {solana, node, market} = await follow(false);
	const token = tokenOf(solana);
	solana.meteora(meteoraLaunch(token));
	solana.meteora(meteoraTrade(token, trade(solana, 20_000_000_000n)));
	const other = solana.launch();
	await caughtUp(solana, market);
	expect(node.subscribed).not.toContain(METEORA_DBC.program);
	expect(node.subscribed).toHaveLength(3);
	expect(node.calls.get('getTransaction')).toBeUndefined();
	expect(market.engine.rowOf(entryKey(SOLANA_CHAIN, token.mint))).toBeUndefined();
	expect(market.engine.rowOf(entryKey(SOLANA_CHAIN, other.mint))).toBeDefined();
});
