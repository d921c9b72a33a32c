import {chainName, coinOf} from '../../chains/chains.ts';
import {clean} from '../../text.ts';
import {formatUnits, shortUnits} from '../decimal.ts';
import type {ReviewLine} from '../flow.ts';
import {simulatedText} from '../simulation.ts';
import {type CancelPlan, checkSimulation, NOTHING_TO_SIMULATE} from './checks.ts';
import {describeTarget} from './orders.ts';

/** The lines of a cancel's review: the decoded payload, and the transaction with its gas. */
export function cancelLines(plan: CancelPlan): readonly ReviewLine[] {
	const {target, envelope, evm, signer} = plan;
	const lines = [
		{label: 'cancels', text: describeTarget(target)},
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
			: `${shortUnits(gas * maxFeePerGas, 18, 'up')} ${coinOf(target.chainId)}`;
	return [
		...lines,
		{label: 'contract', text: to},
		{label: `${coinOf(target.chainId)} sent`, text: formatUnits(valueRaw, 18)},
		{label: 'gas', text: gas === undefined ? 'not reported' : `at most ${gas} units`},
		{label: 'fee', text: fee === 'not reported' ? fee : `at most ${fee}`},
		{label: 'nonce', text: String(nonce)},
	];
}
