import type {LogReader} from './log-reader.ts';
import {BlockRefused} from './stream-failures.ts';
import type {TokenToAsk} from './token-facts.ts';
import type {Address} from './venue.ts';
import {readTransfer, TRANSFER, type TransferLog} from './venue-reader.ts';

/** How far back the transfers of a token are read when its first pool opens: most are made and given out right before. */
const LOOK_BACK_BLOCKS = 2000;
/** A token with more transfers before its pool was no launch; its holders stay unknown. */
const MAX_TRANSFERS = 2000;

/**
 * Transfers of tokens without a launchpad before their pools opened, the block of the opening included. A token is missing where the
 * node does not give them, or where they are too many.
 * @throws what a log reader throws, but for a refusal
 */
export async function readHistories(
	reader: LogReader,
	tokens: readonly TokenToAsk[],
): Promise<ReadonlyMap<Address, readonly TransferLog[]>> {
	const asked = tokens.filter(({transaction}) => transaction !== undefined);
	if (asked.length === 0) return new Map();
	const blocks = asked.map(({block}) => block);
	const from = Math.max(0, Math.min(...blocks) - LOOK_BACK_BLOCKS);
	const filter = {addresses: asked.map(({token}) => token), topics: [TRANSFER]};
	try {
		const logs = await reader.read(filter, from, Math.max(...blocks), {hashes: new Map(), headers: [], isClose: false});
		const transfers = Map.groupBy(
			logs.map(readTransfer).filter(transfer => transfer !== undefined),
			({log}) => log.address,
		);
		return new Map(
			asked
				.map(({token, block}) => {
					const isNear = ({log}: TransferLog): boolean =>
						log.blockNumber <= block && log.blockNumber >= block - LOOK_BACK_BLOCKS;
					return [token, (transfers.get(token) ?? []).filter(isNear)] as const;
				})
				.filter(([, ofToken]) => ofToken.length <= MAX_TRANSFERS),
		);
	} catch (error) {
		if (error instanceof BlockRefused) return new Map();
		throw error;
	}
}
