import {formatUnits} from 'viem';
import type {Quote, QuoteStep} from '../../contract/bridge.ts';
import {typedDataJson} from '../../contract/typed-data.ts';
import type {Chain} from '../chain/chain-set.ts';
import {type Fees, MAX_TRADE_USD, totalFeeRaw, usdText} from './amounts.ts';
import type {Asset} from './assets.ts';
import {deadlineOf, intentTypedData} from './intent-typed-data.ts';
import type {Intent} from './intents.ts';
import {LAUNCH_SLIPPAGE, type LaunchFigures} from './launch-quote.ts';

/** Per cent: what the price of a dollar may move. */
const CARRIED_SLIPPAGE = 1;

/** The parts that a quote is computed from. */
export interface QuoteParts {
	readonly intent: Intent;
	readonly origin: Chain;
	readonly destination: Chain;
	readonly target: Asset;
	readonly steps: QuoteStep[];
	readonly fees: Fees;
	readonly bridged: bigint;
	readonly slippage: number;
	/** The value that will arrive, in raw USDC. */
	readonly valueRaw: bigint;
	/** Figures of a launch. */
	readonly figures?: LaunchFigures | undefined;
}

/** The answer to a request for a quote (spec 4.5, contract gaps 4.2). */
export function quoteResponse(parts: QuoteParts): Quote {
	const {intent, origin, destination, target, steps, fees, bridged, slippage, valueRaw, figures} = parts;
	const totalFeeUsd = usdText(totalFeeRaw(bridged, fees));
	return {
		intentId: intent.intentId,
		estimatedAmountOut: formatUnits(intent.estimatedOutRaw, target.decimals),
		estimatedAmountOutUsd: usdText(valueRaw),
		minAmountOut: formatUnits(intent.minOutRaw, target.decimals),
		recommendedSlippage: intent.launch === null ? CARRIED_SLIPPAGE : LAUNCH_SLIPPAGE,
		appliedSlippage: slippage,
		totalFeeUsd,
		fees: {
			bridgeFeeBps: fees.bridgeFeeBps,
			gasFeeUsd: usdText(fees.destinationGasRaw),
			totalFeeUsd,
			...(intent.isGasless ? {originSponsorGasUsd: usdText(fees.originGasRaw)} : {}),
		},
		estimatedTimeMs: destination.info.fillTimeMs,
		maxTradeUsd: MAX_TRADE_USD,
		steps,
		deposit: {evm: steps.at(-1)!.tx},
		typedData: typedDataJson(intentTypedData(intent, origin.addresses.bridge)),
		deadline: deadlineOf(intent),
		...(intent.isGasless
			? {
					sponsorGate: {
						batchExecutor: origin.addresses.batchExecutor,
						gasToken: intent.originToken,
						minBalance: intent.amountRaw.toString(),
					},
				}
			: {}),
		...figures,
	};
}
