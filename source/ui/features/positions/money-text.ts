import {usd} from '../../format.ts';

/** From here on cents do not matter, micro-USD. */
const COMPACT_MICRO = 100_000_000_000n;

/**
 * Micro-USD to the cent, at most ten cells: `$12.34`, `+$1,234.50`, `<$0.01`; from $100,000 on in short: `$1.23M`.
 * @param isSigned with a plus before what is more than nothing
 */
export function moneyText(micro: bigint, {isSigned = false}: {readonly isSigned?: boolean} = {}): string {
	const size = micro < 0n ? -micro : micro;
	const sign = micro < 0n ? '-' : isSigned && micro > 0n ? '+' : '';
	if (size >= COMPACT_MICRO) return sign + usd(Number(size) / 1e6);
	const cents = (size + 5000n) / 10_000n;
	if (cents === 0n && size > 0n) return `${sign}<$0.01`;
	const text = (Number(cents) / 100).toLocaleString('en-US', {minimumFractionDigits: 2, maximumFractionDigits: 2});
	return `${sign}$${text}`;
}
