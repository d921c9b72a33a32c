import {expect, test} from 'vitest';
import type {FundEvent, MarketEvent} from '../../../source/service/market/events.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {address, batch, blockMs, CHAIN, launch, trade} from '../follow/made-events.ts';
import {MemoryLog} from '../log/memory-log.ts';
import {bytesOf, differing, openReplica, untilAt} from './replica-pages.ts';

const HOUR_MS = 3_600_000;
const [TRADER, IDLE, YOUNG, FUNDER] = [address(0xa1), address(0xa2), address(0xa3), address(0xa4)];

const fund = (wallet: string, block: number): FundEvent => ({
	type: 'fund',
	timeMs: blockMs(block),
	chainId: CHAIN,
	wallet,
	from: FUNDER,
	amount: 1,
	coin: {address: address(0xe), symbol: 'WETH', name: 'Wrapped Ether', decimals: 18},
	tx: null,
});

test('how a wallet was funded is forgotten after an hour without anything else of it, and not with a restart', async () => {
	const log = new MemoryLog();
	const sources = {follow: {chains: [{chainId: CHAIN, name: 'base', urls: ['http://127.0.0.1:1']}]}};
	const options = {sources, startMs: blockMs(0)};
	const own = temporaryDirectory();
	const always = await openReplica(log, {...options, directory: temporaryDirectory()});
	let restarted = await openReplica(log, {...options, directory: own});
	const write = (block: number, events: readonly MarketEvent[]): void =>
		log.write({kind: 'batch', batch: batch(block, block, [...events])}, blockMs(block));
	/** Who has a funding in every replica. */
	const known = async (): Promise<string[]> => {
		log.show(log.length);
		for (const market of [always, restarted]) await untilAt(market, log.length);
		await restarted.close();
		restarted = await openReplica(log, {...options, directory: own});
		await untilAt(restarted, log.length);
		expect(differing(bytesOf(always), bytesOf(restarted))).toEqual([]);
		const wallets = [TRADER, IDLE, YOUNG];
		const [here, there] = [always, restarted].map(market => market.walletLabels(wallets));
		expect(there).toEqual(here);
		return wallets.filter((_, n) => here![n]!.fundingInfo !== null);
	};
	const hour = HOUR_MS / (blockMs(1) - blockMs(0));
	write(10, [launch(address(1), 10), fund(TRADER, 10), fund(IDLE, 10), trade(address(1), 10, {wallet: TRADER})]);
	write(hour - 10, [fund(YOUNG, hour - 10)]);
	expect(await known()).toEqual([TRADER, IDLE, YOUNG]);
	log.write({kind: 'clock'}, blockMs(hour + 1));
	expect(await known()).toEqual([TRADER, IDLE, YOUNG]);
	log.write({kind: 'clock'}, blockMs(2 * hour - 5));
	write(2 * hour - 4, [trade(address(1), 2 * hour - 4, {wallet: TRADER})]);
	log.write({kind: 'clock'}, blockMs(2 * hour + 1));
	expect(await known()).toEqual([TRADER]);
	// What comes later counts again.
	write(2 * hour + 5, [fund(IDLE, 2 * hour + 5), trade(address(1), 2 * hour + 5, {wallet: IDLE})]);
	log.write({kind: 'clock'}, blockMs(4 * hour + 1));
	expect(await known()).toEqual([TRADER, IDLE]);
});
