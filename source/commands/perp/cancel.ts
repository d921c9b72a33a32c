import {createHash} from 'node:crypto';
import {PulsetopError} from '../../errors.ts';
import {clean} from '../../text.ts';
import {TYPE_AGAIN} from '../../trading/advice.ts';
import {describeCancel} from '../../trading/perp/describe-state.ts';
import type {CancelFlow} from '../../trading/perp/flow.ts';
import {type CancelState, isUnderWay, mayRetry} from '../../trading/perp/machine.ts';
import type {CancelTarget} from '../../trading/perp/orders.ts';
import {describeTarget} from '../../trading/perp/orders.ts';
import type {Call} from '../line/command.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import type {ExitCode} from '../process/exit-code.ts';
import {acceptedRoles} from '../trading/accept.ts';
import {assertMayAct, type ChosenWallet, chooseWallet, unlock, withTrading} from '../trading/context.ts';
import {confirmAndSend, type MoneyStep, printMoney} from '../trading/money-command.ts';
import {checksText, factsText, indented} from '../trading/output.ts';
import {askText} from '../trading/passphrase-prompt.ts';
import {assertPlanned, planGiven} from '../trading/plan.ts';
import {readToEnd} from '../trading/read-to-end.ts';

/** The order differs from that of the dry run, or no dry run has this hash. */
export class PlanDiffers extends PulsetopError {
	readonly code = 'plan-differs';

	constructor() {
		super('The order is not the one of the dry run', {
			why: 'the wallet, the order or its price is not the same, or the order no longer exists',
			next: 'fix-input',
			advice: 'Make a new dry run.',
		});
	}
}

/** No order has this id, or several have this number. */
export class OrderUnknown extends PulsetopError {
	readonly code = 'order-unknown';

	constructor(why: string) {
		super('There is no such order to cancel', {why, next: 'fix-input', advice: 'pulsetop perp orders lists them.'});
	}
}

/** The typed confirmation is not the number of the order. */
export class CancelNotConfirmed extends PulsetopError {
	readonly code = 'not-confirmed';

	constructor(index: string) {
		super('The cancel was not confirmed', {
			why: `type the number of the order, ${index}, to confirm`,
			next: 'fix-input',
			advice: TYPE_AGAIN,
		});
	}
}

/**
 * `pulsetop perp cancel [ORDER]`: signs and sends the cancel of an order, a take-profit or a stop-loss, and waits until the
 * order is cancelled. `--dry-run` prints the request for the payload and what can be checked without one: nothing more is known
 * before a signature.
 * @returns 0 when cancelled, 1 when not, 4 when that is not certain yet; for a dry run 3 when the plan can't be executed as it is
 * @throws UsageError, OrderUnknown, PlanDiffers, CheckFailed, ContractUnknown, ReadOnly, the errors of `withTrading`
 */
export async function perpCancel({flags, operands, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const given = assertUsage(flags, operands);
	if (!flags.has('dry-run')) assertMayAct(config, 'a cancel');
	return withTrading(config, async context => {
		const wallet = await chooseWallet(context, config, flags);
		const flow = await context.trading.cancelFlow();
		const step = {context, config, flags, wallet, flow, target: chooseOrder(given, await flow.list(), wallet)};
		return flags.has('dry-run') ? dryRun(step) : cancel(step);
	});
}

interface Step extends MoneyStep {
	readonly flow: CancelFlow;
	readonly target: CancelTarget;
}

/** Checks flags and operands before anything starts. @returns the order, the hash of the plan, or both @throws UsageError */
function assertUsage(flags: Flags, operands: readonly string[]): {order?: string; plan?: string} {
	acceptedRoles(flags);
	const plan = planGiven(flags, {name: 'the cancel', typed: 'the number'});
	const [order, ...others] = operands;
	if ((order === undefined && plan === undefined) || others.length > 0)
		throw new UsageError(
			'One order is needed',
			'pulsetop perp orders lists them: name one by its number or full name.',
		);
	return {...(order !== undefined && {order}), ...(plan !== undefined && {plan})};
}

/** The order by name, or by a plan: then the order must be unchanged. @throws PlanDiffers, OrderUnknown, UsageError */
function chooseOrder(
	{order, plan}: {readonly order?: string; readonly plan?: string},
	targets: readonly CancelTarget[],
	wallet: ChosenWallet,
): CancelTarget {
	const named = order === undefined ? undefined : orderNamed(order, targets);
	if (plan === undefined) return named!;
	const planned = targets.find(target => planHashOf(wallet, target) === plan);
	if (planned === undefined) throw new PlanDiffers();
	assertPlanned('ORDER', named === undefined || named === planned, planned.key);
	return planned;
}

/** An order by its key, or by its number if unique. @throws OrderUnknown */
function orderNamed(name: string, targets: readonly CancelTarget[]): CancelTarget {
	const whole = targets.find(({key}) => key === name);
	if (whole) return whole;
	const numbered = targets.filter(({index}) => index === name);
	// The take-profit and the stop-loss of an order share its number; the number means the order.
	const orders = numbered.filter(({orderType}) => orderType === 'order');
	const [only, ...others] = orders.length > 0 ? orders : numbered;
	if (only === undefined) throw new OrderUnknown('pulsetop perp orders lists those that are open');
	if (others.length === 0) return only;
	throw new OrderUnknown(
		`several have this number; give its full name: ${[only, ...others].map(({key}) => key).join(', ')}`,
	);
}

/** The hash of what the user confirms: wallet and order. Figures that move with the market are left out. */
function planHashOf({address}: ChosenWallet, target: CancelTarget): string {
	const {key, dex, chainId, marketId, index, orderType, side, kind, price} = target;
	const plan = [address.toLowerCase(), key, dex, chainId, marketId, index, orderType, side, kind, price];
	return createHash('sha256').update(JSON.stringify(plan)).digest('hex');
}

async function dryRun(step: Step): Promise<number> {
	const {config, flags, wallet, flow, target} = step;
	const {messageDigest} = await import('../../contract/typed-data.ts');
	const {body, text, checks} = await flow.dryRun(target, {accepts: acceptedRoles(flags).has('perp exchange')});
	const planHash = planHashOf(wallet, target);
	const request = {body, text, digest: messageDigest(text)};
	const isReady = checks.every(({ok}) => ok);
	const document = {schema: 'pulsetop.perp-plan/1', planHash, order: target, ...request, isReady, checks};
	const review = () => checksText({checks, toAccept: []}, config.ui);
	await printMoney(
		step,
		document,
		() =>
			`${describeTarget(target)}\n\n${review()}\nNothing was signed. The service gives the payload for this request only, signed:\n${indented(request)}plan ${planHash}\n`,
	);
	return isReady ? 0 : 3;
}

async function cancel(step: Step): Promise<number> {
	const {flags, wallet, flow, target} = step;
	// The request for the payload is signed too.
	await unlock(wallet, flags);
	await flow.build(target);
	await confirmAndSend(step, {
		view: () => flow.view,
		chainId: () => target.chainId,
		given: acceptedRoles(flags),
		accept: (_, typed) => flow.accept(typed),
		confirm: isPlanned => (isPlanned ? undefined : confirm(target)),
		send: () => flow.execute(),
		refresh: () => flow.rebuild(),
	});
	if (isUnderWay(flow.view.state)) {
		process.stderr.write(`${describeCancel(flow.view.state).title}\n`);
		// A cancel that the service refused may never change: it is read once.
		if (mayRetry(flow.view.state)) await flow.read().catch(() => {});
		else await readToEnd(flow);
	}
	await printOutcome(step);
	return exitCodeOf(flow.view.state);
}

/** The exit code of a cancel. */
export function exitCodeOf(state: CancelState): ExitCode {
	if (state.phase === 'done') return 0;
	return isUnderWay(state) ? 4 : 1;
}

async function confirm({index}: CancelTarget): Promise<void> {
	const typed = await askText(
		`Type the number of the order, ${clean(index)}, to sign and send; anything else cancels: `,
	);
	if (typed.trim() !== index) throw new CancelNotConfirmed(clean(index));
}

async function printOutcome(step: Step): Promise<void> {
	const {flow, target} = step;
	const {state, checks, lines, signed} = flow.view;
	const {title, text} = describeCancel(state);
	const document = {
		schema: 'pulsetop.perp-cancel/1',
		order: target,
		...stateDocument(state),
		title,
		text,
		lines,
		checks,
		signed,
	};
	const facts = [
		{label: 'order', text: describeTarget(target)},
		...(state.txHash === undefined ? [] : [{label: 'transaction', text: state.txHash}]),
		...(state.said === undefined ? [] : [{label: 'said', text: state.said}]),
	];
	const hint = isUnderWay(state) ? 'pulsetop perp orders reads it.\n' : '';
	await printMoney(step, document, () => `${title}. ${text}\n${factsText(facts)}${hint}`);
}

function stateDocument({phase, claim, txHash, processId, said, status}: CancelState) {
	return {
		phase,
		...(phase === 'claimed' && claim !== undefined ? {claim} : {}),
		...(txHash === undefined ? {} : {txHash}),
		...(processId === undefined ? {} : {processId}),
		...(said === undefined ? {} : {said: clean(said)}),
		...(status === undefined ? {} : {httpStatus: status}),
	};
}
