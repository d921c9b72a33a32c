import {keccak256, stringToBytes} from 'viem/utils';
import {isEvmAddress, isSameAddress} from '../../address.ts';
import {CHAINS, chainName, evmChainNumber, wrappedNativeOf} from '../../chains/chains.ts';
import {BRIDGE} from '../../contract/bridge.ts';
import {batchNonce, batchTypedData} from '../../contract/typed-data.ts';
import {type Check, failed, passed, unavailable, type Verdict} from '../check.ts';
import {CAPS_CHECK, CLOCK_CHECK, freshness} from '../checks.ts';
import {formatUnits, shortUnits} from '../decimal.ts';
import {pinCheck} from '../pins.ts';
import {simulationVerdict} from '../simulation.ts';
import type {BridgePlan, BridgeRequest} from './bridge-plan.ts';
import {decodedCalls, depositCall} from './calls.ts';
import {feesProblem, feeUsd, isAtMost, lossOf, percent} from './loss.ts';
import {bridgedProblem, checkMinBridged} from './min-bridged.ts';

/** How old a quote may be that a person looks at while signing. */
export const QUOTE_FRESH_MS = 60_000;
/** How old account and balance may be. */
const ACCOUNT_FRESH_MS = 20_000;
/** Minimum and maximum time to the deadline of a batch. */
const DEADLINE_MARGIN_S = 30n;
const DEADLINE_MAX_S = 15n * 60n;

type Run = (plan: BridgePlan) => Verdict;

/** Addresses that stand for the native coin (contract gaps 4.1). */
const NATIVE: ReadonlySet<string> = new Set([
	'',
	'native',
	'0x0000000000000000000000000000000000000000',
	'0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
]);
/** Wrapped native coins: no origin of a sponsored deposit (spec 4.4). */
const WRAPPED: ReadonlySet<string | undefined> = new Set(CHAINS.map(({id}) => wrappedNativeOf(id)));

/** The quote is for a sponsored execute, so the service pays the gas. */
const checkSponsored: Run = ({quote}) =>
	quote.sponsorGate ? passed('the service pays the gas') : failed('the quote has no sponsorGate: it is not gasless');

const checkOriginToken: Run = ({request: {originToken}}) => {
	const token = originToken.toLowerCase();
	if (NATIVE.has(token)) return failed('the native coin cannot be sent in a sponsored deposit');
	if (WRAPPED.has(token)) return failed('the wrapped native coin cannot be sent in a sponsored deposit');
	return isEvmAddress(originToken) ? passed(originToken) : failed('the origin token is not an address');
};

const checkCrossChain: Run = ({request: {originChainId, destinationChainId}}) => {
	if (originChainId === destinationChainId) return failed(`origin and destination are both ${originChainId}`);
	return passed(`${chainName(originChainId)} to ${chainName(destinationChainId)}`);
};

const checkChainId: Run = ({request, batch, authorization}) => {
	const expected = evmChainNumber(request.originChainId);
	if (expected === undefined) return failed(`${request.originChainId} is not an EVM chain`);
	if (!BRIDGE.sponsoredChains.some(id => id === request.originChainId)) {
		return failed(`${request.originChainId} has no batch executor`);
	}
	if (batch.originChainId !== request.originChainId) return failed(`the batch is for ${batch.originChainId}`);
	if (authorization && authorization.chainId === 0) return failed('the authorization is for chain 0: for every chain');
	if (authorization && authorization.chainId !== expected) {
		return failed(`the authorization is for chain ${authorization.chainId}, not ${expected}`);
	}
	return passed(`chain ${expected} in the batch${authorization ? ' and in the authorization' : ''}`);
};

const checkAuthority: Run = ({batch, signer}) =>
	isSameAddress(batch.authority, signer)
		? passed(signer)
		: failed(`the batch is for ${batch.authority}, the wallet is ${signer}`);

const checkVerifyingContract: Run = ({batch, provider, signer, request}) => {
	const {domain} = batchTypedData(batch, provider);
	if (!isSameAddress(domain.verifyingContract, signer)) {
		return failed(`the domain's contract is ${domain.verifyingContract}, it must be the account itself`);
	}
	if (domain.chainId !== evmChainNumber(request.originChainId))
		return failed(`the domain's chain is ${domain.chainId}`);
	return passed('the domain names the account itself');
};

const checkLane: Run = ({batch, quote}) => {
	const expected = batchNonce(quote.intentId);
	if (BigInt(batch.batchNonce) !== expected) return failed('the nonce is not the lane of this intent at its beginning');
	return passed('the lane of this intent, at its beginning');
};

const checkCallCount: Run = ({batch: {calls}}) => {
	if (calls.length === 0) return failed('there are no calls');
	if (calls.length > BRIDGE.maxCalls) return failed(`${calls.length} calls, at most ${BRIDGE.maxCalls} are allowed`);
	return passed(`${calls.length} of at most ${BRIDGE.maxCalls}`);
};

const checkCallValues: Run = ({batch: {calls}}) => {
	const at = calls.findIndex(({value}) => BigInt(value) !== 0n);
	return at === -1 ? passed('no call carries the native coin') : failed(`call ${at + 1} carries the native coin`);
};

const checkTargets: Run = plan => {
	const {request, batch} = plan;
	const calls = decodedCalls(plan);
	const unknown = calls.indexOf(undefined);
	if (unknown !== -1) return failed(`call ${unknown + 1}, to ${batch.calls[unknown]!.to}, is not part of a deposit`);
	const deposit = depositCall(plan);
	if (!deposit) return failed('the last call makes no deposit');
	for (const [i, call] of calls.slice(0, -1).entries()) {
		if (call!.kind !== 'approve') return failed(`call ${i + 1} is a second deposit`);
		if (!isSameAddress(call!.to, request.originToken))
			return failed(`call ${i + 1} approves another token, ${call!.to}`);
		if (call!.spender !== deposit.to)
			return failed(`call ${i + 1} approves ${call!.spender}, which is not where the deposit goes`);
	}
	if (isSameAddress(deposit.to, request.originToken) || isSameAddress(deposit.to, plan.signer))
		return failed('the deposit goes to no bridge');
	return passed(calls.map(call => call!.kind).join(', then '));
};

/** The deposit is the one that was asked for: this intent, this token, this chain, this recipient. */
const checkDeposit: Run = plan => {
	const {request, quote} = plan;
	const deposit = depositCall(plan);
	if (!deposit) return failed('the last call makes no deposit');
	if (deposit.intentHash !== keccak256(stringToBytes(quote.intentId))) return failed('it is for another intent');
	if (!isSameAddress(deposit.token, request.originToken)) return failed(`it takes another token, ${deposit.token}`);
	if (deposit.amountRaw !== request.amountRaw) {
		return failed(
			`it takes ${amount(request, deposit.amountRaw)}, asked for were ${amount(request, request.amountRaw)}`,
		);
	}
	const destination = evmChainNumber(request.destinationChainId);
	if (destination === undefined || deposit.destinationChain !== BigInt(destination)) {
		return failed(`it leads to chain ${deposit.destinationChain}`);
	}
	if (!isSameAddress(deposit.recipient, request.recipient))
		return failed(`it pays ${deposit.recipient}, not ${request.recipient}`);
	return passed(`${amount(request, deposit.amountRaw)} for ${request.recipient}`);
};

const checkApproval: Run = plan => {
	const approvals = decodedCalls(plan).filter(call => call?.kind === 'approve');
	// A token that must be set to zero first has two.
	const granted = approvals.filter(call => call.amountRaw !== 0n);
	if (granted.length !== 1) return failed(`${granted.length} approvals, one is needed`);
	const {amountRaw} = granted[0]!;
	const {request} = plan;
	if (amountRaw === request.amountRaw && approvals.at(-1) === granted[0])
		return passed(`exactly ${amount(request, amountRaw)}`);
	return failed(`${amountRaw} raw units are approved, ${request.amountRaw} are deposited`);
};

const checkGasToken: Run = ({batch, quote, request}) => {
	const gate = quote.sponsorGate?.gasToken ?? '';
	if (!isSameAddress(batch.gasToken, gate))
		return failed(`the batch names ${batch.gasToken}, the quote ${gate || 'none'}`);
	return isSameAddress(gate, request.originToken)
		? passed('the token that is sent')
		: failed(`it is ${gate}, sent is ${request.originToken}`);
};

const checkMinBalance: Run = ({batch, quote, request}) => {
	const gate = quote.sponsorGate?.minBalance ?? '0';
	if (BigInt(batch.minBalance) !== BigInt(gate)) return failed(`the batch says ${batch.minBalance}, the quote ${gate}`);
	if (BigInt(gate) < request.amountRaw)
		return failed(`${amount(request, BigInt(gate))} is less than what is deposited`);
	return passed(amount(request, BigInt(gate)));
};

const checkBalance: Run = ({request, balanceRaw, batch}) => {
	const needed = BigInt(batch.minBalance) > request.amountRaw ? BigInt(batch.minBalance) : request.amountRaw;
	const has = `the account has ${shortUnits(balanceRaw, request.decimals)} ${request.symbol}`;
	return balanceRaw >= needed ? passed(has) : failed(`${has}, ${amount(request, needed)} are needed`);
};

const checkAccountNonce: Run = ({authorization, account}) => {
	if (!authorization) return passed('no authorization is needed');
	if (authorization.nonce !== account.nonce) {
		return failed(`the authorization has nonce ${authorization.nonce}, the account's is ${account.nonce}`);
	}
	return passed(`nonce ${account.nonce} is the account's current one`);
};

const checkDelegation: Run = ({account, authorization, quote}) => {
	const executor = quote.sponsorGate?.batchExecutor ?? '';
	if (account.kind === 'contract') return failed('the account has code of its own');
	if (account.kind === 'delegated' && !isSameAddress(account.delegate ?? '', executor)) {
		return failed(`the account is delegated to another contract, ${account.delegate}`);
	}
	const isDelegated = account.kind === 'delegated';
	if (isDelegated && authorization)
		return failed('the account is delegated already: another authorization would be void');
	if (!isDelegated && !authorization) return failed('the account is not delegated, and there is no authorization');
	if (authorization && !isSameAddress(authorization.address, executor)) {
		return failed(`the authorization delegates to ${authorization.address}, the executor is ${executor}`);
	}
	return passed(isDelegated ? 'delegated to the executor' : 'plain now, delegated to the executor afterwards');
};

const checkExecutorPin: Run = ({contracts: {executor}}) => pinCheck(executor.verdict, 'batch executor');
const checkTargetPin: Run = ({contracts: {target}}) => pinCheck(target.verdict, 'bridge contract');

/**
 * In a simulation at this moment the calls move the amounts of the review to the addresses of the review, and leave no allowance
 * behind; the proceeds of a swap arrive at the bridge, and are as much as its call names.
 */
export const checkSimulation: Run = plan => {
	const {simulation, signer, request, requiresSimulation} = plan;
	const {originToken: token, amountRaw, decimals, symbol} = request;
	const to = depositCall(plan)?.to ?? '';
	const move = {token, from: signer, to, amountRaw, decimals, symbol};
	const verdict = simulationVerdict(simulation, {owners: [signer], move, isRequired: requiresSimulation});
	const problem = verdict.ok ? bridgedProblem(plan) : undefined;
	return problem === undefined ? verdict : failed(problem);
};

const checkAmountOut: Run = ({quote}) => {
	const decimal = /^\d+(\.\d+)?$/;
	const [least, estimate] = [quote.minAmountOut, quote.estimatedAmountOut];
	if (!decimal.test(least) || !decimal.test(estimate)) return failed('the amounts that arrive are no numbers');
	if (!/[1-9]/.test(least)) return failed('nothing at all would have to arrive');
	if (isMore(least, estimate)) return failed(`at least ${least} would arrive, but only ${estimate} are expected`);
	return passed(`at least ${least}, about ${estimate}`);
};

/** The minimum that arrives is close enough to the amount that leaves; the review shows the difference in percent. */
const checkLoss: Run = plan => {
	// The service's value of a launch proves nothing: the checks of a trade use the price of the feed.
	if (plan.trade) return passed('the worst case of the trade bounds it');
	const {ofAmount, ofEstimate, fees = 0, isByServicePrice} = lossOf(plan, plan.destination);
	const most = plan.maxLossPercent / 100;
	const limit = `at most ${plan.maxLossPercent} % are allowed ([bridge] max-loss, or --max-loss for one run)`;
	const worst = ofAmount ?? ofEstimate;
	if (!isAtMost(worst, most)) return failed(`up to ${percent(worst)} of what leaves may be lost; ${limit}`);
	if (!isAtMost(fees, most)) return failed(`the fees are ${percent(fees)} of what leaves; ${limit}`);
	const said = `at most ${percent(Math.max(worst, 0))}`;
	if (ofAmount === undefined)
		return unavailable(
			`${said} under the estimate; the price of what arrives is not known, so the rest is not checked`,
		);
	return passed(isByServicePrice ? `${said}, by the service's price of what arrives` : said);
};

/** The fees of the quote explain the missing part of the arriving amount. */
const checkFees: Run = plan => {
	const problem = feesProblem(plan, plan.destination);
	if (problem !== undefined) return failed(problem);
	const fee = feeUsd(plan.quote);
	return fee === undefined ? unavailable('the quote does not report them') : passed(`$${fee} total`);
};

const checkFreshness: Run = ({quote, quotedAtMs, accountAtMs, clock, maxQuoteAgeMs}) => {
	const endsS = Number(quote.deadline ?? Number.POSITIVE_INFINITY);
	if (clock.nowMs >= endsS * 1000) return failed('the quote has expired');
	const {nowMs} = clock;
	const age = freshness('quote', {atMs: quotedAtMs, nowMs, maxMs: maxQuoteAgeMs});
	if (!age.ok) return age;
	const read = freshness('reading of the account', {atMs: accountAtMs, nowMs, maxMs: ACCOUNT_FRESH_MS});
	return read.ok ? passed(`quote ${age.detail}, reading of the account ${read.detail}`) : read;
};

const checkDeadline: Run = ({batch, clock}) => {
	const left = BigInt(batch.deadline) - BigInt(Math.floor(clock.nowMs / 1000));
	if (left < DEADLINE_MARGIN_S) {
		return failed(
			left > 0n ? `only ${left} s are left, ${DEADLINE_MARGIN_S} s are needed` : `it passed ${-left} s ago`,
		);
	}
	return left > DEADLINE_MAX_S ? failed(`it is ${left} s away: too long`) : passed(`${left} s from now`);
};

/** Every check that must pass before a batch is signed (issue 3), in the order in which they are shown. */
export const BRIDGE_CHECKS: readonly Check<BridgePlan>[] = [
	{name: 'sponsored', title: 'gas is sponsored', next: 'requote', run: checkSponsored},
	{name: 'cross-chain', title: 'another chain', next: 'fix-input', run: checkCrossChain},
	{name: 'origin-token', title: 'origin token is an ERC-20', next: 'fix-input', run: checkOriginToken},
	{name: 'chain-id', title: 'chain id', next: 'report', run: checkChainId},
	{name: 'authority', title: 'account is the wallet', next: 'report', run: checkAuthority},
	{name: 'verifying-contract', title: 'domain is the account', next: 'report', run: checkVerifyingContract},
	{name: 'lane', title: 'nonce lane', next: 'report', run: checkLane},
	{name: 'call-count', title: 'number of calls', next: 'report', run: checkCallCount},
	{name: 'call-values', title: 'no native value', next: 'report', run: checkCallValues},
	{name: 'targets', title: 'targets', next: 'report', run: checkTargets},
	{name: 'deposit', title: 'deposit is what was asked', next: 'report', run: checkDeposit},
	{name: 'approval', title: 'approval equals deposit', next: 'report', run: checkApproval},
	{name: 'gas-token', title: 'gas token', next: 'report', run: checkGasToken},
	{name: 'min-balance', title: 'minimum balance', next: 'report', run: checkMinBalance},
	{name: 'balance', title: 'balance', next: 'fix-input', run: checkBalance},
	{name: 'delegation', title: 'delegation', next: 'report', run: checkDelegation},
	{name: 'account-nonce', title: 'account nonce', next: 'requote', run: checkAccountNonce},
	{name: 'executor-pin', title: 'known executor', next: 'report', run: checkExecutorPin},
	{name: 'target-pin', title: 'known bridge', next: 'report', run: checkTargetPin},
	{name: 'simulation', title: 'simulated on your node', next: 'requote', run: checkSimulation},
	{name: 'min-bridged', title: 'the swap must bring enough', next: 'requote', run: checkMinBridged},
	{name: 'amount-out', title: 'amount received', next: 'requote', run: checkAmountOut},
	{name: 'fees', title: 'fees add up', next: 'requote', run: checkFees},
	{name: 'loss', title: 'loss is bounded', next: 'requote', run: checkLoss},
	{name: 'fresh', title: 'data is fresh', next: 'requote', run: checkFreshness},
	CLOCK_CHECK,
	{name: 'deadline', title: 'deadline', next: 'requote', run: checkDeadline},
	CAPS_CHECK,
];

function amount({decimals, symbol}: BridgeRequest, raw: bigint): string {
	return `${formatUnits(raw, decimals)} ${symbol}`;
}

/** Compares decimal texts without rounding. */
function isMore(a: string, b: string): boolean {
	const places = Math.max(...[a, b].map(text => text.split('.')[1]?.length ?? 0));
	const scaled = (text: string) => {
		const [whole = '', fraction = ''] = text.split('.');
		return BigInt(whole + fraction.padEnd(places, '0'));
	};
	return scaled(a) > scaled(b);
}
