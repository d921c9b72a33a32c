import {encodeFunctionData, type Hex, parseAbi} from 'viem';
import {describe, expect, test} from 'vitest';
import type {DeployBuild, PredictionTransaction} from '../../../source/contract/prediction.ts';
import {deployTypedData, typedDataJson} from '../../../source/contract/typed-data.ts';
import {runChecks} from '../../../source/trading/check.ts';
import {deployCalldata} from '../../../source/trading/prediction/calls.ts';
import {
	PREDICTION_CHECKS,
	type PredictionAction,
	type PredictionPlan,
	possibleActions,
} from '../../../source/trading/prediction/checks.ts';

/* Honest plans pass every check; one change, and the check that is named for the change fails. */

const address = (digits: string): Hex => `0x${digits.repeat(20)}`;
const [FACTORY, USDC, ME, ACCOUNT, STRANGER] = ['fa', 'c0', 'ae', 'ac', '57'].map(address) as [Hex, Hex, Hex, Hex, Hex];
const AMOUNT = 2_500_000n;
const GAS = 100_000n;
const FEE = 30_000_000_000n;
const SIGNATURE: Hex = `0x${'12'.repeat(65)}`;
const ABI = parseAbi([
	'function transfer(address to, uint256 amount)',
	'function withdraw(address token, address to, uint256 amount)',
]);
const deposit = (to = ACCOUNT, amount = AMOUNT) =>
	encodeFunctionData({abi: ABI, functionName: 'transfer', args: [to, amount]});
const withdraw = (to = ME, amount = AMOUNT, token = USDC) =>
	encodeFunctionData({abi: ABI, functionName: 'withdraw', args: [token, to, amount]});
const transaction = (to: Hex, calldata: Hex): PredictionTransaction => ({
	to,
	calldata,
	chainId: 137,
	vaultAddress: ACCOUNT,
});
const TYPED = {...typedDataJson(deployTypedData(FACTORY)), vaultAddress: ACCOUNT} as unknown as DeployBuild;

/** The same JSON with the members of each object in the opposite order. */
function reversed<T>(value: T): T {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	const members = Object.entries(value).toReversed();
	return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)])) as T;
}

/** A plan in which everything is as it should be. */
function honest(action: PredictionAction, isSigned = action !== 'deploy'): PredictionPlan {
	const isDeployed = action === 'withdraw';
	const [from, to] = isDeployed ? [ACCOUNT, ME] : [ME, ACCOUNT];
	const simulated = {kind: 'done', transfers: [{token: USDC, from, to, amountRaw: AMOUNT}], approvals: []} as never;
	const signed = {signature: SIGNATURE, transaction: transaction(FACTORY, deployCalldata(SIGNATURE))};
	return {
		action,
		...(action !== 'deploy' && {amountRaw: AMOUNT, simulation: simulated}),
		place: {chainId: 'evm:137', factory: FACTORY, stablecoin: USDC, symbol: 'USDC', decimals: 6},
		facts: {
			owner: ME,
			account: ACCOUNT,
			isDeployed,
			accountRaw: AMOUNT,
			walletRaw: AMOUNT,
			coinsRaw: GAS * FEE,
			nonce: 0,
			reported: {deployed: isDeployed, account: ACCOUNT},
		},
		contract: {role: 'factory', verdict: {kind: 'pinned'}} as never,
		requiresSimulation: true,
		proposal: {
			deploy: TYPED,
			deposit: transaction(USDC, deposit()),
			withdraw: transaction(ACCOUNT, withdraw()),
		}[action],
		...(action === 'deploy' && isSigned && {signed}),
		fees: {maxFeePerGas: FEE, maxPriorityFeePerGas: 1n},
		gas: GAS,
		builtAtMs: 0,
		clock: {nowMs: 0, skewMs: 0, uncertaintyMs: 0},
	};
}

const failing = (plan: PredictionPlan) =>
	runChecks(PREDICTION_CHECKS, plan).flatMap(({ok, name}) => (ok ? [] : [name]));

test('honest plans pass every check, before and after the typed data is signed', () => {
	for (const action of ['deploy', 'deposit', 'withdraw'] as const)
		expect([action, failing(honest(action))]).toEqual([action, []]);
	expect(failing(honest('deploy', true))).toEqual([]);
});

test('an account is created once, and nothing is withdrawn before', () => {
	expect(possibleActions({isDeployed: false})).toEqual(['deploy', 'deposit']);
	expect(possibleActions({isDeployed: true})).toEqual(['deposit', 'withdraw']);
});

type Change = (plan: PredictionPlan) => Partial<PredictionPlan>;
const proposing =
	(more: Partial<PredictionTransaction>): Change =>
	({proposal}) => ({proposal: {...proposal, ...more} as PredictionTransaction});
const knowing =
	(more: Partial<PredictionPlan['facts']>): Change =>
	({facts}) => ({facts: {...facts, ...more}});
const simulated =
	(...transfers: readonly {token: Hex; from: Hex; to: Hex; amountRaw: bigint}[]): Change =>
	() => ({simulation: {kind: 'done', transfers, approvals: []} as never});

describe.each<[action: PredictionAction, changes: [what: string, change: Change, fails: readonly string[]][]]>([
	[
		'deposit',
		[
			['calls something else', proposing({calldata: withdraw()}), ['call', 'recipient']],
			['calls nothing that is known', proposing({calldata: '0x12345678'}), ['call', 'recipient', 'amount']],
			['goes to another contract', proposing({to: STRANGER}), ['target']],
			['pays a stranger', proposing({calldata: deposit(STRANGER)}), ['recipient']],
			['moves one unit more', proposing({calldata: deposit(ACCOUNT, AMOUNT + 1n)}), ['amount']],
			['moves one unit less', proposing({calldata: deposit(ACCOUNT, AMOUNT - 1n)}), ['amount']],
			['names another account', proposing({vaultAddress: STRANGER}), ['account']],
			[
				'is for an account that the service names otherwise',
				knowing({reported: {deployed: false, account: STRANGER}}),
				['account'],
			],
			[
				'is reported as deployed, which it is not',
				knowing({reported: {deployed: true, account: ACCOUNT}}),
				['deployed'],
			],
			['is not reported as deployed, which it is', knowing({isDeployed: true}), ['deployed']],
			['is more than the wallet has by one unit', knowing({walletRaw: AMOUNT - 1n}), ['funds']],
			['is more than the account has, which does not matter', knowing({accountRaw: 0n}), []],
			['is for another chain', proposing({chainId: 1}), ['chain-id']],
			[
				'has a factory that is unknown',
				() => ({contract: {role: 'factory', verdict: {kind: 'unknown'}} as never}),
				['factory-pin'],
			],
			['was not simulated', () => ({simulation: undefined}) as never, ['simulation']],
			[
				'moves one unit less in the simulation',
				simulated({token: USDC, from: ME, to: ACCOUNT, amountRaw: AMOUNT - 1n}),
				['simulation'],
			],
			[
				'moves to a stranger in the simulation',
				simulated({token: USDC, from: ME, to: STRANGER, amountRaw: AMOUNT}),
				['simulation'],
			],
			[
				'moves another token, too, in the simulation',
				simulated(
					{token: USDC, from: ME, to: ACCOUNT, amountRaw: AMOUNT},
					{token: FACTORY, from: ME, to: STRANGER, amountRaw: 1n},
				),
				['simulation'],
			],
			[
				'takes something of the account in the simulation',
				simulated(
					{token: USDC, from: ME, to: ACCOUNT, amountRaw: AMOUNT},
					{token: USDC, from: ACCOUNT, to: STRANGER, amountRaw: 1n},
				),
				['simulation'],
			],
		],
	],
	[
		'withdraw',
		[
			['calls something else', proposing({calldata: deposit(ME)}), ['call', 'token']],
			['calls nothing that is known', proposing({calldata: '0x'}), ['call', 'token', 'recipient', 'amount']],
			['goes to another contract', proposing({to: USDC}), ['target']],
			['takes out another token', proposing({calldata: withdraw(ME, AMOUNT, FACTORY)}), ['token']],
			['pays a stranger', proposing({calldata: withdraw(STRANGER)}), ['recipient']],
			['pays the account itself', proposing({calldata: withdraw(ACCOUNT)}), ['recipient']],
			['moves one unit more', proposing({calldata: withdraw(ME, AMOUNT + 1n)}), ['amount']],
			[
				'is from an account that does not exist',
				knowing({isDeployed: false, reported: {deployed: false, account: ACCOUNT}}),
				['deployed'],
			],
			['is more than the account has by one unit', knowing({accountRaw: AMOUNT - 1n}), ['funds']],
			['is more than the wallet has, which does not matter', knowing({walletRaw: 0n}), []],
			[
				'goes the other way in the simulation',
				simulated({token: USDC, from: ME, to: ACCOUNT, amountRaw: AMOUNT}),
				['simulation'],
			],
		],
	],
	[
		'deploy',
		[
			['is without typed data', () => ({proposal: transaction(FACTORY, deployCalldata(SIGNATURE))}), ['deployment']],
			[
				'is of an account that exists',
				knowing({isDeployed: true, reported: {deployed: true, account: ACCOUNT}}),
				['deployed'],
			],
			[
				'is for another chain',
				() => ({proposal: {...TYPED, domain: {...TYPED.domain, chainId: 1}} as never}),
				['deployment', 'chain-id'],
			],
			[
				'asks for a payment',
				() => ({proposal: {...TYPED, message: {...TYPED.message, payment: '1'}} as never}),
				['deployment'],
			],
			[
				'names another factory',
				() => ({proposal: {...TYPED, domain: {...TYPED.domain, verifyingContract: STRANGER}} as never}),
				['deployment'],
			],
			[
				'has a member more',
				() => ({proposal: {...TYPED, message: {...TYPED.message, tip: '0'}} as never}),
				['deployment'],
			],
			[
				'writes the name of its domain in other letters',
				() => ({
					proposal: {...TYPED, domain: {...TYPED.domain, name: String(TYPED.domain.name).toUpperCase()}} as never,
				}),
				['deployment'],
			],
			['names another account', () => ({proposal: {...TYPED, vaultAddress: STRANGER}}), ['account']],
			['is written with other members first', () => ({proposal: reversed(TYPED)}), []],
			[
				'is written with numbers as numbers and addresses in capitals',
				() => ({
					proposal: {
						...TYPED,
						domain: {...TYPED.domain, verifyingContract: `0x${FACTORY.slice(2).toUpperCase()}`},
						message: {...TYPED.message, payment: 0},
					} as never,
				}),
				[],
			],
			[
				'writes its chain as a text',
				() => ({proposal: {...TYPED, domain: {...TYPED.domain, chainId: '137'}} as never}),
				[],
			],
			[
				'asks for another fee type',
				() => ({proposal: {...TYPED, message: {...TYPED.message, payment: null}} as never}),
				['deployment'],
			],
		],
	],
])('a %s that', (action, changes) => {
	test.each(changes)('%s', (_, change, fails) => {
		const plan = honest(action);
		expect(failing({...plan, ...change(plan)})).toEqual(fails);
	});
});

test.each<[action: PredictionAction, name: string, change: Change, words: string]>([
	['deploy', 'token', () => ({}), 'no token moves'],
	['deposit', 'token', () => ({}), USDC],
	['deposit', 'recipient', () => ({}), `your prediction account, ${ACCOUNT}`],
	['withdraw', 'recipient', () => ({}), `this wallet, ${ME}`],
	['deposit', 'recipient', proposing({calldata: deposit(STRANGER)}), 'would get it, not your prediction account'],
	['withdraw', 'recipient', proposing({calldata: withdraw(STRANGER)}), 'would get it, not this wallet'],
	['deposit', 'funds', knowing({walletRaw: 1n}), 'the wallet has only 0.000001 USDC'],
	['withdraw', 'funds', knowing({accountRaw: 1n}), 'the account has only 0.000001 USDC'],
	['deposit', 'chain-id', proposing({chainId: 1}), 'it is for chain 1, not 137'],
	[
		'deploy',
		'chain-id',
		() => ({
			signed: {signature: SIGNATURE, transaction: {...transaction(FACTORY, deployCalldata(SIGNATURE)), chainId: 5}},
		}),
		'it is for chain 5, not 137',
	],
])('a %s says in the check %s what was compared', (action, name, change, words) => {
	const plan = honest(action);
	const check = runChecks(PREDICTION_CHECKS, {...plan, ...change(plan)}).find(other => other.name === name);
	expect(check?.detail).toContain(words);
});

describe('the transaction of a signed deployment that', () => {
	const signed = (more: Partial<PredictionTransaction>): PredictionPlan => {
		const plan = honest('deploy', true);
		return {...plan, signed: {signature: SIGNATURE, transaction: {...plan.signed!.transaction, ...more}}};
	};
	test.each<[what: string, more: Partial<PredictionTransaction>, fails: readonly string[]]>([
		['carries another signature', {calldata: deployCalldata(`0x${'34'.repeat(65)}`)}, ['deployment']],
		['does something else', {calldata: deposit()}, ['deployment', 'call']],
		['goes to another contract', {to: STRANGER}, ['target']],
		['is for another chain', {chainId: 1}, ['chain-id']],
		['names another account', {vaultAddress: STRANGER}, ['account']],
	])('%s', (_, more, fails) => {
		expect(failing(signed(more))).toEqual(fails);
	});
});

test.each<[what: string, more: Partial<PredictionPlan>, isFine: boolean]>([
	['the most gas', {gas: 600_000n, fees: {maxFeePerGas: 1n, maxPriorityFeePerGas: 1n}}, true],
	['more gas', {gas: 600_001n, fees: {maxFeePerGas: 1n, maxPriorityFeePerGas: 1n}}, false],
	['the highest fee', {gas: 1n, fees: {maxFeePerGas: 5_000_000_000_000n, maxPriorityFeePerGas: 1n}}, true],
	['a higher fee', {gas: 1n, fees: {maxFeePerGas: 5_000_000_000_001n, maxPriorityFeePerGas: 1n}}, false],
	['as much as the wallet has', {}, true],
	['a unit more than the wallet has', {facts: {...honest('deposit').facts, coinsRaw: GAS * FEE - 1n}}, false],
	['no estimate', {gas: undefined} as never, false],
])('gas: %s', (_, more, isFine) => {
	expect(failing({...honest('deposit'), ...more})).toEqual(isFine ? [] : ['gas']);
});
