import {formatUnits} from 'viem';
import type {ChainInfo} from '../chain/chains.ts';
import {gasCostUSD} from '../chain/gas.ts';

/** Decimals of the token that the bridge carries; one token is one US dollar. */
export const BRIDGED_DECIMALS = 6;

/** The fee of the bridge on each transfer, in hundredths of a per cent. */
export const BRIDGE_FEE_BPS = 10;

/** The largest value of one transfer, in US dollars (contract gaps 4.2). */
export const MAX_TRADE_USD = 10_000;

/** Gas units of a fill on the destination. */
const FILL_UNITS = 120_000n;

/** The same where the solver buys a launch for the recipient. */
const BUYING_FILL_UNITS = 200_000n;

/** The fees of a transfer, in raw units of the bridged token. */
export interface Fees {
	readonly bridgeFeeBps: number;
	readonly originGasRaw: bigint;
	readonly destinationGasRaw: bigint;
}

/**
 * The fees that a quote charges.
 * @param sponsoredUnits the gas limit of the sponsored transaction on the origin; undefined when the user pays there
 * @param options.isBought whether the solver buys what arrives
 */
export function feesOf(
	origin: ChainInfo,
	destination: ChainInfo,
	sponsoredUnits: bigint | undefined,
	{isBought = false}: {readonly isBought?: boolean} = {},
): Fees {
	return {
		bridgeFeeBps: BRIDGE_FEE_BPS,
		originGasRaw: sponsoredUnits === undefined ? 0n : bridgedRaw(gasCostUSD(origin, sponsoredUnits)),
		destinationGasRaw: bridgedRaw(gasCostUSD(destination, isBought ? BUYING_FILL_UNITS : FILL_UNITS)),
	};
}

/** Dollars as raw units of the bridged token, rounded up, so that a fee always covers its cost. */
function bridgedRaw(usd: number): bigint {
	return BigInt(Math.ceil(usd * 10 ** BRIDGED_DECIMALS));
}

/** The bridge's fee on a deposit. */
export function bridgeFeeRaw(depositedRaw: bigint, {bridgeFeeBps}: Fees): bigint {
	return (depositedRaw * BigInt(bridgeFeeBps) + 9_999n) / 10_000n;
}

/** All fees on a deposit. */
export function totalFeeRaw(depositedRaw: bigint, fees: Fees): bigint {
	return bridgeFeeRaw(depositedRaw, fees) + fees.originGasRaw + fees.destinationGasRaw;
}

/** The rest of a deposit for the recipient; negative when the fees are higher. */
export function netRaw(depositedRaw: bigint, fees: Fees): bigint {
	return depositedRaw - totalFeeRaw(depositedRaw, fees);
}

/** The largest deposit of which at most this much is left after the fees. */
export function depositFor(net: bigint, fees: Fees): bigint {
	return ((net + fees.originGasRaw + fees.destinationGasRaw) * 10_000n) / BigInt(10_000 - fees.bridgeFeeBps);
}

/** The least amount that must arrive, rounded down. @param slippagePercent 0 to 50 */
export function leastOf(amountRaw: bigint, slippagePercent: number): bigint {
	const keptPpm = BigInt(Math.round((100 - slippagePercent) * 10_000));
	return (amountRaw * keptPpm) / 1_000_000n;
}

/** Bridged raw units in a chain's native coin, by the configured price. */
export function nativeFor(bridged: bigint, {nativeUSD}: ChainInfo): bigint {
	const microUSD = BigInt(Math.round(nativeUSD * 1_000_000));
	return (bridged * 10n ** 18n) / microUSD;
}

/** Raw units of the bridged token in dollars as text, `0.014302`. */
export function usdText(bridged: bigint): string {
	return formatUnits(bridged, BRIDGED_DECIMALS);
}
