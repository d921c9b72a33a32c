import {clean} from '../../text.ts';
import {chainName, coinOf} from '../chains.ts';
import {formatUnits} from '../decimal.ts';
import {timeOfDay} from '../live-signature.ts';
import {simulatedText} from '../simulation.ts';
import {type CancelPlan, checkSimulation, NOTHING_TO_SIMULATE} from './checks.ts';
import {type CancelState, liveUntilS} from './machine.ts';
import type {CancelTarget} from './orders.ts';

export interface CancelLine {
	readonly label: string;
	readonly text: string;
}

const TYPE_NAMES: Readonly<Record<CancelTarget['orderType'], string>> = {
	order: 'order',
	tp: 'take-profit',
	sl: 'stop-loss',
};

/**
 * What is cancelled, in a few words: `limit order to BUY, 500 USD at 1.25`, or `take-profit that closes the long (SELL), ...`;
 * `?` for what the listing leaves out.
 */
export function targetWords(target: CancelTarget): string {
	const {kind, orderType, side, sizeUSD, price} = target;
	const closes = side === 'BUY' ? 'long' : side === 'SELL' ? 'short' : 'position';
	const what =
		orderType === 'order'
			? `${kind.toLowerCase()} order to ${side ?? '?'}`
			: `${TYPE_NAMES[orderType]} that closes the ${closes} (${sideOf(target) ?? '?'})`;
	return clean(`${what}, ${sizeUSD ?? '?'} USD at ${price ?? '?'}`);
}

/** What the exchange would do: a take-profit or stop-loss does the opposite of the order that it belongs to. */
export function sideOf({orderType, side}: Pick<CancelTarget, 'orderType' | 'side'>): string | undefined {
	if (orderType === 'order') return side;
	return side === 'BUY' ? 'SELL' : side === 'SELL' ? 'BUY' : undefined;
}

/** What is going to happen, for a person who has to decide: the decoded payload, and the transaction with its gas. */
export function cancelLines(plan: CancelPlan): readonly CancelLine[] {
	const {target, envelope, evm, signer} = plan;
	const lines = [
		{label: 'cancels', text: targetWords(target)},
		{label: 'market', text: clean(target.marketId, {maxCells: 48})},
		{label: 'exchange', text: `${clean(envelope.dex, {maxCells: 24})} on ${chainName(target.chainId)}`},
		{label: 'order', text: `#${target.index}`},
		{label: 'wallet', text: signer},
		{
			label: 'sent',
			text: evm
				? 'as an on-chain transaction, broadcast by the service'
				: "through the exchange's own API; no transaction",
		},
		{
			label: 'simulated',
			text: evm
				? simulatedText(evm.simulation, checkSimulation(plan), 'nothing leaves the wallet')
				: NOTHING_TO_SIMULATE,
		},
	];
	if (!evm) return lines;
	const {to, nonce, gas, maxFeePerGas, valueRaw} = evm.tx;
	const fee =
		gas === undefined || maxFeePerGas === undefined
			? 'not reported'
			: `${formatUnits(gas * maxFeePerGas, 18)} ${coinOf(target.chainId)}`;
	return [
		...lines,
		{label: 'contract', text: to},
		{label: `${coinOf(target.chainId)} sent`, text: formatUnits(valueRaw, 18)},
		{label: 'gas', text: gas === undefined ? 'not reported' : `at most ${gas} units`},
		{label: 'fee', text: fee === 'not reported' ? fee : `at most ${fee}`},
		{label: 'nonce', text: String(nonce)},
	];
}

/** The state of a cancel in words, and what to do. */
export function cancelWords(state: CancelState): {
	readonly title: string;
	readonly text: string;
	readonly tone: 'info' | 'good' | 'warn' | 'bad';
} {
	const {phase, chainId, seenOn, claim} = state;
	switch (phase) {
		case 'choosing':
			return {title: 'Choose an order', text: 'Nothing was signed.', tone: 'info'};
		case 'built':
			return {title: 'Payload is there', text: 'Some checks are open: nothing can be signed yet.', tone: 'warn'};
		case 'reviewed':
			return {title: 'Ready', text: 'All checks passed.', tone: 'info'};
		case 'signing':
			return {title: 'Signing', text: 'The wallet signs.', tone: 'info'};
		case 'sending':
			return {title: 'Sending', text: 'The cancel is on its way to the service.', tone: 'info'};
		case 'running':
			return {title: 'Running', text: 'The service works on it.', tone: 'info'};
		case 'unclear':
			return {
				title: 'Not clear yet',
				text:
					chainId === undefined
						? 'The cancel may have been executed: the list of orders is read until that is certain.'
						: 'The cancel may have been executed: list of orders and chain are read until that is certain.',
				tone: 'warn',
			};
		case 'unaccepted':
			return {
				title: 'Not accepted, says the service',
				text: `${refusalText(state)} ${untilText(state)} It can be tried again.`,
				tone: 'warn',
			};
		case 'claimed':
			if (claim === 'failed')
				return {
					title: 'Not cancelled, says the service',
					text: `The service says that the order was not cancelled. ${untilText(state)} It can be tried again.`,
					tone: 'warn',
				};
			return {
				title: 'Cancelled, says the service',
				text:
					chainId === undefined
						? 'That is not certain: the order is still listed. The list of orders is read on.'
						: 'That is not certain: the chain does not show it yet. It is read on.',
				tone: 'warn',
			};
		case 'done':
			return {
				title: 'Cancelled',
				text:
					seenOn === 'chain'
						? 'The order is cancelled: the chain shows it.'
						: "The order is gone from the service's list of orders.",
				tone: 'good',
			};
		case 'failed':
			return {
				title: 'Not cancelled',
				text: `The order was not cancelled: ${whyOver(state)} It can be tried again.`,
				tone: 'bad',
			};
		case 'refused':
			return {
				title: 'Not accepted',
				text: `Nothing was executed: ${whyOver(state)} It can be tried again.`,
				tone: 'bad',
			};
	}
}

/** Until when what was signed can be executed. */
function untilText(state: CancelState): string {
	return state.nonce === undefined
		? `It can still be executed until ${timeOfDay(liveUntilS(state))}.`
		: `Its transaction can still be mined until the wallet uses its number, ${state.nonce}.`;
}

/** Why nothing can come of it any more. */
function whyOver({seenOn, sentAtMs}: CancelState): string {
	if (seenOn === 'chain') return 'its transaction did nothing, or can never be mined.';
	return sentAtMs === undefined || seenOn === undefined
		? 'it never left this machine.'
		: 'the order is still listed, and what was signed is void by now.';
}

function refusalText({status}: CancelState): string {
	if (status === 403) return 'The service says that it executed nothing: the time or the signature was not accepted.';
	if (status === 401 || status === 402)
		return 'The service says that it executed nothing: the API key does not allow it.';
	return 'The service says that it executed nothing.';
}
