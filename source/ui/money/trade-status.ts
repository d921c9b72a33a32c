import {chainName} from '../../chains/chains.ts';
import type {TradeTarget} from '../../contract/trade-target.ts';
import {clean} from '../../text.ts';
import {describeBridge, likeText} from '../../trading/bridge/describe-state.ts';
import type {BridgeState} from '../../trading/bridge/machine.ts';
import type {StateDescription} from '../../trading/description.ts';
import {exactly} from './amount.ts';
import type {TradeWindow} from './money-state.ts';

/** Where a trade stands, in words: what arrived is measured on a chain, or it is said that only the service says so. */
export function describeTrade({view, form: {target}}: Pick<TradeWindow, 'view' | 'form'>): StateDescription {
	const state = view?.state ?? {phase: 'draft', attempts: 0};
	const description = describeBridge(state);
	if (!target) return description;
	const words = wordsOf(state, target, view?.quoted?.request);
	return words ? {...description, ...words} : description;
}

type Request = NonNullable<NonNullable<TradeWindow['view']>['quoted']>['request'];

function wordsOf(
	state: BridgeState,
	target: TradeTarget,
	request: Request | undefined,
): {readonly title: string; readonly text: string} | undefined {
	const isSale = target.side === 'sell';
	const token = clean(target.symbol, {maxCells: 14});
	const here = chainName(target.chainId);
	switch (state.phase) {
		case 'quoted':
		case 'reviewed':
		case 'confirmed':
			return {title: 'Asking for the last quote', text: 'Signed is only what is as good as what you confirmed.'};
		case 'filled':
		case 'settled': {
			const amount = amountOf(state.arrivedRaw, state.arrivedDecimals);
			const where = request ? ` on ${chainName(request.destinationChainId)}` : isSale ? '' : ` on ${here}`;
			const what = isSale ? 'USDC' : token;
			const came = amount === undefined ? `What arrived${where} is ${what}` : `${amount} ${what} arrived${where}`;
			const less = state.isShort ? ', less than the promised minimum' : '';
			return {title: isSale ? `Sold ${token}` : `Bought ${token}`, text: `${came}${less}: measured on the chain.`};
		}
		case 'claimed':
			if (state.claim !== 'filled' && state.claim !== 'settled') return undefined;
			return {
				title: isSale ? 'Sold, says the service' : 'Bought, says the service',
				text: `The chain does not show ${isSale ? 'the USDC' : token} yet, so it counts as no position${likeText(state, 'arrived')}. ${blindText(state)} Send no other before you know.`,
			};
		case 'refunded': {
			if (!isSale)
				return {
					title: 'Not bought: your USDC came back',
					text: `The price went beyond the slippage, or the token could not be bought. The chain shows that the USDC came back${request ? ` on ${chainName(request.originChainId)}` : ''}.`,
				};
			const amount = amountOf(state.returnedRaw, state.returnedDecimals);
			return {
				title: `Sold ${token}; the USDC is on ${here}`,
				text: `The token is sold. The USDC could not be paid on the other chain and came back on ${here}${amount === undefined ? '' : `: ${amount} USDC`}. It can be bridged from there.`,
			};
		}
		default:
			return undefined;
	}
}

function amountOf(raw: string | undefined, decimals: number | undefined): string | undefined {
	if (raw === undefined) return undefined;
	return decimals === undefined ? undefined : exactly(BigInt(raw), decimals);
}

function blindText({blind}: BridgeState): string {
	return blind === undefined ? 'The chain is read on.' : `It cannot be looked for: ${clean(blind, {maxCells: 120})}.`;
}
