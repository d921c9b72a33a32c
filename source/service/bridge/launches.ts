import {reasonOf} from '../../errors.ts';
import type {ChainSet} from '../chain/chain-set.ts';
import type {OutsideMarket} from '../market/outside.ts';
import type {Database} from '../store/database.ts';
import {createLaunchTrader, type LaunchTrader} from './launch-trade.ts';
import {openPracticeTokens} from './practice-tokens.ts';

/** The trades of launches in this run, and what a later run must know of them. */
export interface Launches {
	readonly trader: LaunchTrader;
	/** Brings the trades of an earlier run into the market, in the background. */
	recover(): void;
	/** Stores the last state of all held tokens. */
	close(): Promise<void>;
}

/** How often it is stored what the crowd did with held tokens: after a crash their market goes on from there. */
const REFRESH_MS = 2000;

/** @throws StoreFailed */
export async function openLaunches({
	chains,
	database,
	outside,
	log,
}: {
	readonly chains: ChainSet;
	readonly database: Database;
	readonly outside: OutsideMarket;
	readonly log: (line: string) => void;
}): Promise<Launches> {
	const tokens = await openPracticeTokens(database);
	const trader = createLaunchTrader({chains, outside, tokens, log});
	const refresh = async (): Promise<void> => {
		try {
			await tokens.refresh(outside.takeChangedHeld());
		} catch (error) {
			log(`held tokens were not stored: ${reasonOf(error)}`);
		}
	};
	const timer = setInterval(() => void refresh(), REFRESH_MS).unref();
	return {
		trader,
		recover: () => void trader.recover(),
		async close() {
			clearInterval(timer);
			await refresh();
		},
	};
}
