import {readBlockNumber} from './chain-proof.ts';
import {type ChainReader, ChainUnread} from './chain-reader.ts';

/**
 * The newest block that is not younger than a moment: finds past blocks that were not read at their time.
 * @param unixS Unix seconds
 * @throws ChainUnread
 */
export async function blockAt(chains: ChainReader, chainId: string, unixS: number): Promise<bigint> {
	const newest = await readBlockNumber(chains, chainId);
	const isOld = async (block: bigint) => (await timeOf(chains, chainId, block)) <= BigInt(Math.floor(unixS));
	if (await isOld(newest)) return newest;
	// The moment is mostly near: steps back double, then the interval between is halved.
	let after = newest;
	let before = newest;
	for (let step = 1n; ; step *= 2n) {
		if (before === 0n) return 0n;
		before = before > step ? before - step : 0n;
		if (await isOld(before)) break;
		after = before;
	}
	while (after - before > 1n) {
		const middle = (before + after) / 2n;
		if (await isOld(middle)) before = middle;
		else after = middle;
	}
	return before;
}

/** Unix seconds. */
async function timeOf(chains: ChainReader, chainId: string, block: bigint): Promise<bigint> {
	const found = await chains.request(chainId, 'eth_getBlockByNumber', [`0x${block.toString(16)}`, false]);
	const time = typeof found === 'object' && found !== null && 'timestamp' in found ? found.timestamp : undefined;
	if (typeof time === 'string' && /^0x[0-9a-f]{1,16}$/i.test(time)) return BigInt(time);
	throw new ChainUnread(chainId, `its node does not know the time of block ${block}`);
}
