import {createHash} from 'node:crypto';
import {PulsetopError} from '../../errors.ts';
import {clean} from '../../text.ts';
import {formatUnits, parseUnits} from '../../trading/decimal.ts';
import {type PredictionAction, type PredictionPlan, transactionOf} from '../../trading/prediction/checks.ts';
import {describePrediction} from '../../trading/prediction/describe-state.ts';
import type {PredictionFlow} from '../../trading/prediction/flow.ts';
import {isUnderWay} from '../../trading/prediction/machine.ts';
import {openPracticePrediction} from '../../trading/prediction/practice.ts';
import {confirmationText} from '../../trading/prediction/review-lines.ts';
import type {Call} from '../line/command.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {acceptedRoles} from '../trading/accept.ts';
import {amountFlag} from '../trading/amount-flag.ts';
import {assertMayAct, type ChosenWallet, chooseWallet, type TradingContext, withTrading} from '../trading/context.ts';
import {confirmAndSend, type MoneyStep, printMoney, reviewText} from '../trading/money-command.ts';
import {factsText, indented} from '../trading/output.ts';
import {askText} from '../trading/passphrase-prompt.ts';
import {assertPlanned, planGiven} from '../trading/plan.ts';
import {readToEnd} from '../trading/read-to-end.ts';

/** No prediction account can be used here. */
export class AccountUnavailable extends PulsetopError {
	readonly code = 'account-unavailable';
}

/** The transaction differs from that of the dry run, or no dry run has this hash. */
export class PredictionPlanDiffers extends PulsetopError {
	readonly code = 'plan-differs';

	constructor() {
		super('The transaction is not the one of the dry run', {
			why: 'the wallet, its nonce, the amount or the proposal of the service is not the same',
			next: 'fix-input',
			advice: 'Make a new dry run.',
		});
	}
}

/**
 * `pulsetop market deploy`, `deposit` and `withdraw`: reviews, signs and sends one transaction of the prediction account of a
 * wallet, and waits for its end. A person types a confirmation, a program gives the hash of a dry run.
 * @returns 0 when the transaction succeeded, 1 otherwise; for a dry run 3 when a check fails
 * @throws UsageError, AccountUnavailable, PredictionPlanDiffers, PredictionNotNow, PredictionNotConfirmed, BadAmount, CheckFailed,
 *   ContractUnknown, ReadOnly, the errors of `withTrading`
 */
export async function marketAct(action: PredictionAction, {flags, operands, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const plan = assertUsage(action, flags, operands);
	if (!flags.has('dry-run')) assertMayAct(config, `to ${action}`);
	return withTrading(config, async context => {
		const wallet = await chooseWallet(context, config, flags);
		const flow = await flowOf(context, wallet);
		await readOpen(context, flow, wallet);
		const amount = plan === undefined ? await amountFlag(flags) : plannedAmount(context, action, plan, flags);
		const build = () => flow.build(action, amount);
		await build();
		const step = {context, config, flags, wallet, flow, build};
		return flags.has('dry-run') ? dryRun(step) : act(step);
	});
}

interface Step extends MoneyStep {
	readonly flow: PredictionFlow;
	/** Gets the proposal, again when it is too old. */
	readonly build: () => Promise<void>;
}

function assertUsage(action: PredictionAction, flags: Flags, operands: readonly string[]): string | undefined {
	acceptedRoles(flags);
	if (operands.length > 0) throw new UsageError(`${action} takes nothing more`, 'Its flags begin with --.');
	const plan = planGiven(flags, {name: 'the transaction', typed: 'the text that the review names'});
	if (action !== 'deploy' && plan === undefined && flags.text('amount') === undefined)
		throw new UsageError('--amount is missing', 'Give the amount of stablecoin, in whole units: 12.5.');
	return plan;
}

/** The kind of the journal record of a dry run: its hash is enough to execute the plan. */
const PLANNED = 'vault.planned';
/** More decimal places than any dollar has. */
const PLACES = 60;

/** The amount of a plan. A repeated flag must agree with the plan. @throws PredictionPlanDiffers, UsageError */
function plannedAmount(
	context: TradingContext,
	action: PredictionAction,
	plan: string,
	flags: Flags,
): string | undefined {
	const planned = context.trading.journal.records().findLast(({kind, id}) => kind === PLANNED && id === plan)?.data;
	if (planned === undefined) throw new PredictionPlanDiffers();
	const {action: plannedAction, amount} = planned as {action: PredictionAction; amount?: string};
	assertPlanned(action, plannedAction === action, `a ${plannedAction}`);
	const given = flags.text('amount');
	const isSame =
		given === undefined || amount === undefined || parseUnits(given, PLACES) === parseUnits(amount, PLACES);
	assertPlanned('--amount', isSame, amount ?? '');
	return amount;
}

/** @throws AccountUnavailable in real mode, and when the chain of the accounts does not run */
async function flowOf({trading, practice}: TradingContext, {address}: ChosenWallet): Promise<PredictionFlow> {
	if (practice === undefined)
		throw new AccountUnavailable('Prediction accounts work with practice money only', {
			why: 'a service is configured, so this is real money, and the contracts of real accounts are not known here',
			next: 'fix-input',
			advice: 'Leave --base-url out (and service.base-url in the configuration) to use practice money.',
		});
	const place = await openPracticePrediction(practice, trading.chains, address);
	if (place === undefined)
		throw new AccountUnavailable('There is no prediction account', {
			why: 'the embedded Polygon chain does not run here: pulsetop doctor says what is missing',
			next: 'retry-later',
		});
	return trading.predictionFlow(place);
}

/** Reads open transactions of earlier runs first: one may be the same action. */
async function readOpen({trading}: TradingContext, flow: PredictionFlow, {address}: ChosenWallet): Promise<void> {
	for (const {hash, action, owner} of await trading.openPredictions()) {
		if (owner.toLowerCase() !== address.toLowerCase()) continue;
		flow.resume(hash);
		const {title} = describePrediction(await flow.watch(AbortSignal.timeout(5000)));
		process.stderr.write(`${action} of an earlier run: ${title.toLowerCase()}\n`);
		flow.dismiss();
	}
}

/** The hash of what the user confirms: account, action, contract, nonce. Fees change with the chain and are bounded by checks. */
function planHashOf(plan: PredictionPlan): string {
	const {action, amountRaw, place, facts, proposal} = plan;
	const what = 'calldata' in proposal ? [proposal.to, proposal.calldata] : [proposal.domain, proposal.message];
	const confirmed = [
		action,
		String(amountRaw ?? ''),
		place.chainId,
		place.factory,
		facts.owner,
		facts.account,
		facts.nonce,
		what,
	];
	return createHash('sha256').update(JSON.stringify(confirmed).toLowerCase()).digest('hex');
}

/** The action for documents. */
function actionOf({action, amountRaw, place, facts}: PredictionPlan) {
	return {
		action,
		...(amountRaw !== undefined && {amount: formatUnits(amountRaw, place.decimals)}),
		account: facts.account,
	};
}

async function dryRun(step: Step): Promise<number> {
	const {context, config, flags, flow} = step;
	const typed = acceptedRoles(flags).get('vault factory');
	if (typed !== undefined && flow.view.toAccept.length > 0) await flow.accept(typed);
	const plan = flow.view.plan!;
	const exact = await unsigned(plan);
	const planHash = planHashOf(plan);
	context.trading.journal.append(PLANNED, planHash, actionOf(plan));
	const {checks, lines, toAccept} = flow.view;
	const isReady = checks.length > 0 && checks.every(({ok}) => ok);
	const document = {
		schema: 'pulsetop.market-plan/1',
		planHash,
		...actionOf(plan),
		...exact,
		isReady,
		lines,
		checks,
		toAccept,
	};
	await printMoney(
		step,
		document,
		() =>
			`${reviewText(flow.view, config)}\nNothing was signed. Exactly this would be:\n${indented(exact)}plan ${planHash}\n`,
	);
	return isReady ? 0 : 3;
}

/** The data to sign: the typed data of a deployment, or the transaction of another action. */
async function unsigned(plan: PredictionPlan) {
	const {proposal, place, facts} = plan;
	const transaction = transactionOf(plan);
	if (transaction !== undefined) {
		const {chainId, to, calldata: data} = transaction;
		return {transaction: {chainId, to, data, value: '0', nonce: facts.nonce}};
	}
	const {deployDigest} = await import('../../contract/typed-data.ts');
	const {vaultAddress: _, ...typedData} = proposal as Exclude<typeof proposal, {calldata: string}>;
	return {typedData, digest: deployDigest(place.factory)};
}

async function act(step: Step): Promise<number> {
	const {flags, flow, build} = step;
	if (flags.has('plan') && flags.text('plan') !== planHashOf(flow.view.plan!)) throw new PredictionPlanDiffers();
	let typed = '';
	await confirmAndSend(step, {
		view: () => flow.view,
		chainId: () => flow.view.place.chainId,
		given: acceptedRoles(flags),
		accept: (_, end) => flow.accept(end),
		async confirm(isPlanned) {
			const expected = confirmationText(flow.view.plan!);
			typed = isPlanned ? expected : await askText(`Type ${expected} to sign and send; anything else cancels: `);
		},
		send: () => flow.execute(typed),
		refresh: build,
	});
	if (isUnderWay(flow.view.state)) {
		process.stderr.write(`${describePrediction(flow.view.state).title}: ${flow.view.state.hash}\n`);
		await readToEnd(flow);
	}
	await printOutcome(step);
	return flow.view.state.phase === 'done' ? 0 : 1;
}

async function printOutcome(step: Step): Promise<void> {
	const {state, plan, lines, checks} = step.flow.view;
	const {phase, hash, said} = state;
	const {title, text} = describePrediction(state);
	const document = {
		schema: 'pulsetop.market-act/1',
		...actionOf(plan!),
		phase,
		title,
		text,
		...(hash !== undefined && {txHash: hash}),
		...(said !== undefined && {said: clean(said)}),
		lines,
		checks,
	};
	const facts = [
		{label: 'account', text: plan!.facts.account},
		...(hash === undefined ? [] : [{label: 'transaction', text: hash}]),
		...(said === undefined ? [] : [{label: 'said', text: said}]),
	];
	await printMoney(step, document, () => `${title}. ${text}\n${factsText(facts)}`);
}
