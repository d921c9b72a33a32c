import {chainName, coinOf} from '../../chains/chains.ts';
import {formatUnits, shortUnits} from '../decimal.ts';
import type {ReviewLine} from '../flow.ts';
import {simulatedText} from '../simulation.ts';
import {
	checkSimulation,
	NOTHING_TO_SIMULATE,
	type PredictionAction,
	type PredictionPlan,
	transactionOf,
} from './checks.ts';

export const ACTION_LABELS: Readonly<Record<PredictionAction, string>> = {
	deploy: 'create the account',
	deposit: 'deposit stablecoin',
	withdraw: 'withdraw stablecoin',
};

/** The text to type to confirm: the amount, or the name of the action. */
export function confirmationText({action, amountRaw, place}: PredictionPlan): string {
	return amountRaw === undefined ? action : formatUnits(amountRaw, place.decimals);
}

/** The lines of a transaction's review. */
export function predictionLines(plan: PredictionPlan): readonly ReviewLine[] {
	const {action, amountRaw = 0n, place, facts, gas, fees, simulation} = plan;
	const amount = `${formatUnits(amountRaw, place.decimals)} ${place.symbol}`;
	const shown = action === 'deploy' ? 'nothing leaves wallet or account' : `only ${amount} leaves`;
	const moves = {
		deploy: [{label: 'creates', text: `a smart account on ${chainName(place.chainId)}; no payment`}],
		deposit: [
			{label: 'you send', text: `${amount} on ${chainName(place.chainId)}`},
			{label: 'from', text: `${facts.owner} (this wallet)`},
			{label: 'to', text: `${facts.account} (your prediction account)`},
		],
		withdraw: [
			{label: 'you send', text: `${amount} on ${chainName(place.chainId)}`},
			{label: 'from', text: `${facts.account} (your prediction account)`},
			{label: 'to', text: `${facts.owner} (this wallet)`},
		],
	}[action];
	return [
		...moves,
		...(action === 'deploy'
			? [
					{label: 'account', text: facts.account},
					{label: 'owner', text: facts.owner},
				]
			: []),
		{
			label: 'simulated',
			text: simulation ? simulatedText(simulation, checkSimulation(plan), shown) : NOTHING_TO_SIMULATE,
		},
		{label: 'contract', text: transactionOf(plan)?.to ?? place.factory},
		{label: `${coinOf(place.chainId)} sent`, text: '0'},
		{
			label: 'fee',
			text:
				gas === undefined
					? 'not known'
					: `at most ${shortUnits(gas * fees.maxFeePerGas, 18, 'up')} ${coinOf(place.chainId)}, paid by this wallet`,
		},
		{label: 'nonce', text: String(facts.nonce)},
	];
}
