import {chainName, coinOf} from '../chains.ts';
import {formatUnits} from '../decimal.ts';
import {simulatedText} from '../simulation.ts';
import {checkSimulation, NOTHING_TO_SIMULATE, transactionOf, type VaultAction, type VaultPlan} from './checks.ts';
import type {VaultState} from './machine.ts';

export interface VaultLine {
	readonly label: string;
	readonly text: string;
}

export const ACTION_WORDS: Readonly<Record<VaultAction, string>> = {
	deploy: 'create the account',
	deposit: 'deposit stablecoin',
	withdraw: 'withdraw stablecoin',
};

/** What has to be typed before it can be signed: the amount, or the word for what happens. */
export function wantedText({action, amountRaw, place}: VaultPlan): string {
	return amountRaw === undefined ? action : formatUnits(amountRaw, place.decimals);
}

/** What is going to happen, for a person who has to decide. */
export function vaultLines(plan: VaultPlan): readonly VaultLine[] {
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
					: `at most ${formatUnits(gas * fees.maxFeePerGas, 18)} ${coinOf(place.chainId)}, paid by this wallet`,
		},
		{label: 'nonce', text: String(facts.nonce)},
	];
}

/** The state in words, and what to do. */
export function vaultWords({phase, said}: VaultState): {
	readonly title: string;
	readonly text: string;
	readonly tone: 'info' | 'good' | 'warn' | 'bad';
} {
	switch (phase) {
		case 'choosing':
			return {title: 'Choose what to do', text: 'Nothing was signed.', tone: 'info'};
		case 'built':
			return {title: 'Not ready', text: 'Some checks are open: nothing can be signed yet.', tone: 'warn'};
		case 'reviewed':
			return {title: 'Ready', text: 'All checks passed.', tone: 'info'};
		case 'signing':
			return {title: 'Signing', text: 'Everything is checked again, then the wallet signs.', tone: 'info'};
		case 'sent':
			return said === undefined
				? {title: 'Sent', text: 'Waiting to be mined.', tone: 'info'}
				: {
						title: 'Not clear yet',
						text: 'The node did not answer and may have taken the transaction. It is not sent again; the chain is read until that is certain.',
						tone: 'warn',
					};
		case 'done':
			return {title: 'Done', text: 'The transaction is mined and succeeded.', tone: 'good'};
		case 'unseen':
			return {
				title: 'Not as expected',
				text: 'The transaction is mined, but the chain does not show the expected result. Check wallet and account before anything else.',
				tone: 'bad',
			};
		case 'reverted':
			return {title: 'Reverted', text: 'The transaction is mined but failed: only its gas is spent.', tone: 'bad'};
		case 'refused':
			return {title: 'Refused', text: 'The node refused the transaction: nothing happened.', tone: 'bad'};
		case 'replaced':
			return {
				title: 'Replaced',
				text: 'Another transaction of this wallet used the same nonce: this one can never be mined.',
				tone: 'bad',
			};
	}
}
