import {setTimeout as sleep} from 'node:timers/promises';
import type {Config} from '../../config/config.ts';
import {describeBridge} from '../../trading/bridge/describe-state.ts';
import type {BridgeFlow} from '../../trading/bridge/flow.ts';
import {type BridgeState, isInFlight} from '../../trading/bridge/machine.ts';
import {formatUnits, parseUnits} from '../../trading/decimal.ts';
import type {PinRole} from '../../trading/known-contracts.ts';
import type {Call} from '../line/command.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import type {ExitCode} from '../process/exit-code.ts';
import {acceptedRoles} from '../trading/accept.ts';
import {assertMayAct, chooseWallet, withTrading} from '../trading/context.ts';
import {confirmAndSend, type MoneyStep, printMoney, reviewText} from '../trading/money-command.ts';
import {indented} from '../trading/output.ts';
import {askText} from '../trading/passphrase-prompt.ts';
import {placeOf, tokenAddress} from '../trading/place.ts';
import {assertPlanned, planGiven} from '../trading/plan.ts';
import {readToEnd} from '../trading/read-to-end.ts';
import {intentDocument, intentText, reviewDocument} from './describe-intent.ts';
import {assertComplete, bridgeInput} from './quote.ts';

/** Maximum age of a quote at the signature: at a terminal, and for a plan, which may be reviewed first. */
const ATTENDED_QUOTE_MS = 2 * 60_000;
const PLANNED_QUOTE_MS = 10 * 60_000;
/** 502 and 503 mean that nothing was sent (spec 7): the same intent is tried again, in its own lane, this many times. */
const RETRIES = 2;
const RETRY_MS = 3000;

/**
 * `pulsetop bridge execute`: makes a transfer and waits for its end. A person types the amount, a program gives the hash of a
 * dry run. `--dry-run` prints exactly what would be signed and sent.
 * @returns 0 when the destination's chain shows that the tokens arrived, 1 when they did not, came back, or less than the promised
 * minimum arrived, 4 when no chain shows yet how it ended, 69 when nothing could be sent
 * @throws UsageError, CheckFailed, ContractUnknown, NotConfirmed, ReadOnly, the errors of `withTrading`
 */
export async function bridgeExecute({flags, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const isDry = flags.has('dry-run');
	const plan = assertUsage(flags);
	if (!isDry) assertMayAct(config, 'a transfer');
	return withTrading(config, async context => {
		const wallet = await chooseWallet(context, config, flags);
		await context.trading.recheckEnds();
		const flow = await context.trading.bridgeFlow({
			maxQuoteAgeMs: plan === undefined ? ATTENDED_QUOTE_MS : PLANNED_QUOTE_MS,
		});
		const step = {context, config, flags, wallet, flow};
		if (plan === undefined) await flow.quote(await bridgeInput(context, config, flags));
		else {
			await flow.adopt(plan);
			assertNoTrade(flow);
			await assertSameTransfer(step);
		}
		return isDry ? dryRun(step) : transfer(step);
	});
}

interface Step extends MoneyStep {
	readonly flow: BridgeFlow;
}

/** Checks the flags before anything starts. @returns the hash of the plan, if given @throws UsageError */
function assertUsage(flags: Flags): string | undefined {
	acceptedRoles(flags);
	const plan = planGiven(flags, {name: 'the transfer', typed: 'the amount'});
	if (plan === undefined) assertComplete(flags);
	return plan;
}

/** A trade has checks that need the row of its token. @throws UsageError */
function assertNoTrade({view}: BridgeFlow): void {
	const {trade} = view.quoted!.request;
	if (trade)
		throw new UsageError(
			'This plan is not of a transfer, but of a trade',
			`pulsetop ${trade.side} --yes --plan HASH executes it.`,
		);
}

/** Flags that are repeated beside a plan must agree with the plan. @throws UsageError naming the flag */
async function assertSameTransfer({context, config, flags, flow}: Step): Promise<void> {
	const {request} = flow.view.quoted!;
	const {originChainId, originToken, destinationChainId, destinationToken, amountRaw, decimals, recipient} = request;
	const place = async (flag: 'from' | 'to') => {
		const given = flags.text(flag);
		if (given === undefined) return undefined;
		const {chainId, token} = placeOf(given, flag);
		return [chainId, token && (await tokenAddress({chainId, token}, {context, config, flag}))].join(':').toLowerCase();
	};
	const [from, to] = await Promise.all([place('from'), place('to')]);
	const origin = [originChainId, originToken].join(':');
	const destination = [destinationChainId, destinationToken].join(':');
	assertPlanned('--from', from === undefined || from === origin.toLowerCase(), origin);
	assertPlanned('--to', to === undefined || to === destination.toLowerCase(), destination);
	const amount = flags.text('amount');
	const isAmount = amount === undefined || parseUnits(amount, decimals) === amountRaw;
	assertPlanned('--amount', isAmount, formatUnits(amountRaw, decimals));
	const named = flags.text('recipient');
	assertPlanned('--recipient', named === undefined || named.toLowerCase() === recipient.toLowerCase(), recipient);
}

async function dryRun(step: Step): Promise<number> {
	const {config, flags, flow} = step;
	const signed = await signedPlan(flow, acceptedRoles(flags));
	const review = reviewDocument(flow);
	await printMoney(step, {schema: 'pulsetop.bridge-plan/1', ...signed, ...review}, () =>
		planText(flow, config, signed),
	);
	return review.isReady ? 0 : 3;
}

/** The data of a plan to sign, after contracts were accepted by `--accept`. */
export async function signedPlan(flow: BridgeFlow, given: ReadonlyMap<PinRole, string>) {
	for (const {role} of flow.view.toAccept) {
		const typed = given.get(role);
		if (typed !== undefined) await flow.accept(role, typed);
	}
	const {planHash, body, typedData, digest, authorization} = flow.dryRun();
	return {planHash, body, typedData, digest, ...(authorization === undefined ? {} : {authorization})};
}

/** @param notes lines before the hash */
export function planText(
	flow: BridgeFlow,
	config: Config,
	{planHash, ...exact}: Awaited<ReturnType<typeof signedPlan>>,
	notes = '',
): string {
	return `${reviewText(flow.view, config)}\nNothing was signed. Exactly this would be:\n${indented(exact)}${notes}plan ${planHash}\n`;
}

async function transfer(step: Step): Promise<number> {
	const {context, config, flags, flow} = step;
	await confirmAndSend(step, {
		view: () => flow.view,
		chainId: () => flow.view.quoted!.request.originChainId,
		given: acceptedRoles(flags),
		accept: (role, typed) => flow.accept(role, typed),
		async confirm(isPlanned) {
			const amount = amountOf(flow);
			const question = `Type the amount, ${amount}, to sign and send; anything else cancels: `;
			flow.confirm(isPlanned ? amount : await askText(question));
		},
		send: () => send(flow),
		refresh: async () => flow.quote(await bridgeInput(context, config, flags)),
	});
	await follow(flow, flags);
	const {state} = flow.view;
	const document = {schema: 'pulsetop.bridge-execute/1', intent: intentDocument(state)};
	await printMoney(step, document, () => intentText(state) + readHint(state));
	return exitCodeOf(state, {mayBeOpen: flags.has('no-wait')});
}

/** The amount that leaves, in whole tokens. */
export function amountOf({view}: BridgeFlow): string {
	const {amountRaw, decimals} = view.quoted!.request;
	return formatUnits(amountRaw, decimals);
}

/** How to read a transfer that has not ended; empty for one that has. */
export function readHint(state: BridgeState): string {
	return isInFlight(state) ? `pulsetop bridge status ${state.intentId} reads it; nothing is sent twice.\n` : '';
}

function say(text: string): void {
	process.stderr.write(text);
}

/** Signs and sends. A batch that the service did not send is tried again, in the same lane. */
export async function send(flow: BridgeFlow): Promise<void> {
	for (let retries = 0; ; retries++) {
		await flow.execute();
		if (flow.view.state.phase !== 'retryable' || retries === RETRIES) return;
		say(`${describeBridge(flow.view.state).title}: ${flow.view.problem?.why ?? ''}. The same intent is sent again.\n`);
		await sleep(RETRY_MS * (retries + 1));
	}
}

/** Waits for the end of the transfer, unless `--no-wait` is given. */
export async function follow(flow: BridgeFlow, flags: Flags): Promise<void> {
	const {state} = flow.view;
	if (!isInFlight(state)) return;
	say(`${describeBridge(state).title}: intent ${state.intentId}\n`);
	if (!flags.has('no-wait')) await watch(flow);
}

/** Waits for the end of a transfer and reports each step. */
export async function watch(flow: BridgeFlow): Promise<void> {
	let {phase} = flow.view.state;
	const unsubscribe = flow.subscribe(() => {
		const {state} = flow.view;
		if (state.phase === phase) return;
		({phase} = state);
		if (isInFlight(state)) say(`${describeBridge(state).title}\n`);
	});
	try {
		await readToEnd(flow);
	} finally {
		unsubscribe();
	}
}

/** Statuses of a busy or unavailable service (spec 7). */
const UNAVAILABLE: ReadonlySet<number | undefined> = new Set([429, 502, 503]);

/** The exit code of a transfer. @param mayBeOpen whether an open transfer counts as success (`--no-wait`) */
export function exitCodeOf(state: BridgeState, {mayBeOpen}: {mayBeOpen: boolean}): ExitCode {
	const {phase, status, liveUntilS, isShort} = state;
	if (phase === 'filled' || phase === 'settled') return isShort === true ? 1 : 0;
	if (phase === 'claimed') return 4;
	if (phase === 'retryable' && liveUntilS === undefined) return 69;
	if (phase === 'lapsed' && UNAVAILABLE.has(status)) return 69;
	if (!isInFlight(state)) return 1;
	return mayBeOpen && !UNCERTAIN.has(phase) ? 0 : 4;
}

/** Phases in which the service may not have accepted the transfer. */
const UNCERTAIN: ReadonlySet<BridgeState['phase']> = new Set(['unclear', 'unaccepted', 'retryable']);
