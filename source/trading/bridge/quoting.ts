import {formatUnits} from '../decimal.ts';
import type {FlowOptions} from '../flow.ts';
import type {BridgeRequest} from './bridge-plan.ts';
import type {Quoted} from './plan.ts';

/** Requests a quote. @returns the quote, as old as its question: an answer may have been held back */
export async function requestQuote(
	{call, clock, address}: Pick<FlowOptions, 'call' | 'clock' | 'address'>,
	request: BridgeRequest,
): Promise<Pick<Quoted, 'quote' | 'quotedAtMs'>> {
	const {originChainId, destinationChainId, originToken, destinationToken, slippage} = request;
	const query = {
		originChainId,
		destinationChainId,
		originToken,
		...(destinationToken === undefined ? {} : {destinationToken}),
		walletAddress: request.recipient,
		senderAddress: address,
		amount: formatUnits(request.amountRaw, request.decimals),
		gasless: true,
		...(slippage === undefined ? {} : {slippage}),
	};
	const askedMs = performance.now();
	const {data: quote} = await call('bridgeQuote', {query});
	return {quote, quotedAtMs: clock.nowMs() - (performance.now() - askedMs)};
}
