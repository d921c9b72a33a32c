import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {amountsInRange, sqrtPriceAtTick} from '../../../../../source/chains/ticks.ts';
import type {Hex, VenueEvent} from '../../../../../source/service/follow/evm/venue.ts';
import {findVenue} from '../../../../../source/service/follow/evm/venues.ts';
import {builtLog} from '../../../../helpers/built-log.ts';
import {decoded} from '../../../../helpers/decoded.ts';

interface RealLog {
	readonly what: string;
	readonly venue: string;
	readonly chain: number;
	readonly address: Hex;
	readonly topics: readonly Hex[];
	readonly data: Hex;
	/** Which the log has beside the price. */
	readonly tick?: number;
	/** Amounts as text; null: the log is no event of a market. */
	readonly event: unknown;
}

const {logs} = JSON.parse(readFileSync(`${import.meta.dirname}/../../../../vectors/evm-logs.json`, 'utf8')) as {
	logs: RealLog[];
};

function read({venue, address, topics, data}: RealLog): VenueEvent | undefined {
	return decoded(findVenue(venue)!, {...builtLog('event Any(uint256 a)', {a: 0n}), address, topics, data});
}

/** With amounts as text, so that JSON can hold what is expected. */
function asText(event: VenueEvent | undefined): unknown {
	return JSON.parse(
		JSON.stringify(event ?? null, (_key, value) => (typeof value === 'bigint' ? String(value) : value)),
	);
}

test.each(logs.map(log => [log.what, log] as const))('%s', (_what, log) => {
	expect(asText(read(log))).toEqual(log.event);
});

test.each(logs.flatMap(log => (log.tick === undefined ? [] : [[log.what, log, log.tick] as const])))(
	'the price lies between its tick and the next: %s',
	(_what, log, tick) => {
		const {sqrtPriceX96} = read(log) as {sqrtPriceX96: bigint};
		expect(sqrtPriceX96).toBeGreaterThanOrEqual(sqrtPriceAtTick(tick));
		expect(sqrtPriceX96).toBeLessThan(sqrtPriceAtTick(tick + 1));
	},
);

test('a real swap of V2 leaves the reserves of its Sync with a fee of 0.3 percent at least', () => {
	const [sync, swap] = logs.filter(({address}) => address === '0x3e2cab55bebf41719148b4e6b63f6644b18ae49c').map(read);
	if (sync?.kind !== 'reserves' || swap?.kind !== 'swap') throw new Error('the vectors have changed');
	const before = (sync.reserve0 - swap.amount0) * (sync.reserve1 - swap.amount1);
	const withoutFee = sync.reserve1 - (swap.amount1 * 3n) / 1000n;
	expect(sync.reserve0 * withoutFee).toBeGreaterThanOrEqual(before);
	// And not much more than that.
	expect(Number(sync.reserve0 * withoutFee) / Number(before)).toBeCloseTo(1, 3);
});

test('a real deposit over all ticks of V3 is what its liquidity makes', () => {
	const mint = logs.find(({what}) => what.startsWith('Mint of a pool of Uniswap V3'))!;
	const event = read(mint);
	if (event?.kind !== 'liquidity' || event.amounts === null) throw new Error('the vectors have changed');
	const liquidity = BigInt(`0x${mint.data.slice(2 + 64, 2 + 128)}`);
	const price = BigInt(Math.round(Math.sqrt(Number(event.amounts.amount1) / Number(event.amounts.amount0)) * 2 ** 96));
	const reckoned = amountsInRange({lower: -887_272, upper: 887_272, liquidity}, price);
	expect(Number(reckoned.amount0) / Number(event.amounts.amount0)).toBeCloseTo(1, 9);
	expect(Number(reckoned.amount1) / Number(event.amounts.amount1)).toBeCloseTo(1, 9);
});
