import type {Config} from '../../config/config.ts';
import {PulsetopError} from '../../errors.ts';
import {describeBridge} from '../../trading/bridge/describe-state.ts';
import type {BridgeFlow} from '../../trading/bridge/flow.ts';
import {isInFlight} from '../../trading/bridge/machine.ts';
import {chainName} from '../../trading/chains.ts';
import {assertPassed} from '../../trading/check.ts';
import {formatUnits, parseUnits} from '../../trading/decimal.ts';
import {givePracticeDollars} from '../../trading/practice-wallet.ts';
import {type Acknowledgement, confirmationText, notAcknowledged} from '../../trading/trade/acknowledge.ts';
import {settledTrades} from '../../trading/trade/settled.ts';
import {type TradeSide, type TradeTarget, whyNotTraded} from '../../trading/trade/target.ts';
import {intentDocument, intentText, reviewDocument, reviewText} from '../bridge/describe-intent.ts';
import {exitCodeOf, send, watch} from '../bridge/execute.ts';
import type {Call} from '../line/command.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {jsonText, print} from '../output/output.ts';
import {acceptContracts} from '../trading/accept.ts';
import {amountFlag} from '../trading/amount-flag.ts';
import {confirmAndSend} from '../trading/confirmed.ts';
import {assertMayAct, type ChosenWallet, chooseWallet, type TradingContext, withTrading} from '../trading/context.ts';
import {indented, whoActs} from '../trading/output.ts';
import {askLine, discardTyped} from '../trading/passphrase-prompt.ts';
import {placeOf, tokenAddress} from '../trading/place.ts';
import {assertPlanned, planGiven} from '../trading/plan.ts';
import {type Accepted, acceptedBy, TradeNotAccepted} from './accepted.ts';
import {amountToSell, assertAmount} from './amount.ts';
import {openRow, type TokenPlace, tokenOperand} from './row.ts';
import {settledDocument, settledText, targetDocument} from './trade-documents.ts';

/** A token that cannot be traded as it is. */
class NotTradable extends PulsetopError {
	readonly code = 'not-tradable';

	constructor(why: string) {
		super('This token cannot be traded now', {why, next: 'fix-input', advice: 'Nothing was signed.'});
	}
}

/**
 * `pulsetop buy` and `pulsetop sell`: trade a token against dollars of another chain and wait for the end. A person types the
 * amount and what is unusual, a program gives the hash of a dry run and names what it accepts.
 * @returns 0 when the chain of what arrives shows it, 1 when nothing was traded, 3 for a dry run whose plan cannot be executed,
 * 4 when no chain shows yet how it ended, 69 when nothing could be sent
 * @throws UsageError, TokenUnknown, NotTradable, NothingToSell, CheckFailed, ContractUnknown, TradeNotAccepted, ReadOnly, the
 * errors of `withTrading`
 */
export async function trade(side: TradeSide, {flags, operands, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const isDry = flags.has('dry-run');
	const accepted = acceptedBy(flags);
	const plan = planGiven(flags, {name: 'the trade', typed: 'the amount'});
	const place = plan !== undefined && operands.length === 0 ? undefined : tokenOperand(operands);
	if (plan === undefined) assertComplete({flags, side, config}, place!);
	if (!isDry) assertMayAct(config, 'a trade');
	return withTrading(
		config,
		async context => {
			const wallet = await chooseWallet(context, config, flags);
			const flow = await context.trading.bridgeFlow();
			const step = {side, context, config, flags, wallet, flow, accepted, place};
			if (plan === undefined) await quote(step, place!);
			else {
				await flow.adopt(plan, {tradeNow: rowOfPlan(step), ...maxLossOf(flags)});
				await assertSameTrade(step, place);
			}
			return isDry ? dryRun(step) : execute(step);
		},
		{history: 'first'},
	);
}

interface Step {
	readonly side: TradeSide;
	readonly context: TradingContext;
	readonly config: Config;
	readonly flags: Flags;
	readonly wallet: ChosenWallet;
	readonly flow: BridgeFlow;
	readonly accepted: Accepted;
	/** The token; a plan names it itself. */
	readonly place: TokenPlace | undefined;
}

/** The flag of the dollars, and the sentence that names it. */
const MONEY = {buy: 'from', sell: 'to'} as const;

/** Checks the flags before anything starts. @throws UsageError */
function assertComplete({flags, side, config}: Pick<Step, 'flags' | 'side' | 'config'>, {chainId}: TokenPlace): void {
	assertAmount(flags, side);
	const flag = MONEY[side];
	const given = dollarsOf(flags, side, config);
	if (given === undefined)
		throw new UsageError(`--${flag} is missing`, `A ${side} needs --${flag} CHAIN:TOKEN: --${flag} base:usdc.`);
	const money = placeOf(given, flag);
	if (money.token === undefined)
		throw new UsageError(`The value of --${flag} can't be used`, 'Name the token too: base:usdc, or base:0x...');
	if (money.chainId === chainId)
		throw new UsageError(
			`--${flag} is on the chain of the token`,
			'The bridge trades between two chains: name dollars of another one.',
		);
}

/** Where the dollars are, `CHAIN:TOKEN`: as the flag says, else as configured; undefined where neither does. */
function dollarsOf(flags: Flags, side: TradeSide, {trade: {from}}: Config): string | undefined {
	const given = flags.text(MONEY[side]);
	if (given !== undefined || from === 'auto') return given;
	return from.endsWith(':usdc') ? from : `${from}:usdc`;
}

async function quote(step: Step, place: TokenPlace): Promise<void> {
	const {side, context, config, flags, wallet, flow} = step;
	const row = await openRow(context.client, {...place, side});
	const {clock} = context.client;
	const why = whyNotTraded(row.target, {nowMs: clock.nowMs(), isReadOnly: config.readOnly && !flags.has('dry-run')});
	if (why !== undefined) throw new NotTradable(why);
	const flag = MONEY[side];
	const money = placeOf(dollarsOf(flags, side, config)!, flag);
	const dollars = await tokenAddress({...money, token: money.token!}, {context, config, flag});
	if (side === 'buy') await fundPractice(step, {chainId: money.chainId, token: dollars});
	const token = {chainId: row.target.chainId, token: row.target.address};
	const [origin, destination] =
		side === 'buy'
			? [{chainId: money.chainId, token: dollars}, token]
			: [token, {chainId: money.chainId, token: dollars}];
	const amount =
		side === 'buy'
			? (await amountFlag(flags))!
			: await amountToSell(context, flags, {...token, symbol: row.target.symbol, wallet: wallet.address});
	const configured = config.trade.slippage === 'auto' ? undefined : config.trade.slippage;
	const slippage = flags.number('slippage', {from: 0, to: 100}) ?? configured;
	await flow.quote({
		originChainId: origin.chainId,
		originToken: origin.token,
		amount,
		destinationChainId: destination.chainId,
		destinationToken: destination.token,
		trade: row.target,
		tradeNow: row.now,
		...(slippage !== undefined && {slippage}),
		...maxLossOf(flags),
	});
}

/** A practice wallet that has no dollars on the chosen chain gets some, so that every launch can be practised with. */
async function fundPractice(
	{context, config, wallet}: Step,
	place: {readonly chainId: string; readonly token: string},
): Promise<void> {
	const {trading, practice} = context;
	if (!practice || config.readOnly) return;
	const {address} = wallet;
	if (await givePracticeDollars(trading, practice, {...place, address}))
		process.stderr.write(`The practice wallet got test dollars on ${chainName(place.chainId)}.\n`);
}

/** The person's own bound of the worst case; it can also be given beside a plan. @throws UsageError */
function maxLossOf(flags: Flags): {readonly maxLoss?: number} {
	const maxLoss = flags.number('max-loss', {from: 0, to: 100});
	return maxLoss === undefined ? {} : {maxLoss};
}

/** Reads the row of the token of an adopted plan. */
function rowOfPlan({context, flow}: Step): () => Promise<TradeTarget | undefined> {
	return async () => {
		const {trade: planned} = flow.view.quoted!.request;
		if (planned === undefined) return undefined;
		const {now} = await openRow(context.client, planned);
		return now();
	};
}

/** What is repeated beside a plan must agree with it. @throws UsageError naming the flag */
async function assertSameTrade(
	{side, flow, flags, context, config}: Step,
	place: TokenPlace | undefined,
): Promise<void> {
	const {request} = flow.view.quoted!;
	const {trade: planned, originChainId, originToken, destinationChainId, destinationToken = ''} = request;
	if (planned === undefined)
		throw new UsageError('This plan is not of a trade', 'pulsetop bridge execute --yes --plan HASH executes it.');
	assertPlanned('The command', planned.side === side, `a ${planned.side}: pulsetop ${planned.side}`);
	const token = `${planned.chainId}:${planned.address}`;
	const isToken = place === undefined || `${place.chainId}:${place.address}`.toLowerCase() === token.toLowerCase();
	assertPlanned('The token', isToken, token);
	const flag = MONEY[side];
	const given = flags.text(flag);
	const dollars = side === 'buy' ? [originChainId, originToken] : [destinationChainId, destinationToken];
	if (given !== undefined) {
		const money = placeOf(given, flag);
		const named = money.token && (await tokenAddress({...money, token: money.token}, {context, config, flag}));
		const isSame = [money.chainId, named].join(':').toLowerCase() === dollars.join(':').toLowerCase();
		assertPlanned(`--${flag}`, isSame, dollars.join(':'));
	}
	const amount = flags.text('amount');
	const isAmount = amount === undefined || parseUnits(amount, request.decimals) === request.amountRaw;
	assertPlanned('--amount', isAmount, amountOf(flow));
	// A part of the balance may be another amount by now.
	for (const name of ['percent', 'all']) assertPlanned(`--${name}`, !flags.has(name), `the amount ${amountOf(flow)}`);
	const slippage = flags.number('slippage', {from: 0, to: 100});
	assertPlanned('--slippage', slippage === undefined || slippage === request.slippage, `${request.slippage} %`);
}

function amountOf({view}: BridgeFlow): string {
	const {amountRaw, decimals} = view.quoted!.request;
	return formatUnits(amountRaw, decimals);
}

async function dryRun(step: Step): Promise<number> {
	const {context, config, flags, wallet, flow, accepted} = step;
	for (const {role} of flow.view.toAccept) {
		const typed = accepted.roles.get(role);
		if (typed !== undefined) await flow.accept(role, typed);
	}
	const {planHash, body, typedData, digest, authorization} = flow.dryRun();
	const signed = {planHash, body, typedData, digest, ...(authorization === undefined ? {} : {authorization})};
	const {acknowledge} = flow.view;
	const missing = notAcknowledged(acknowledge, accepted.words);
	const {isReady: hasPassed, ...review} = reviewDocument(flow);
	const isReady = hasPassed && missing.length === 0;
	if (flags.has('json')) {
		const who = whoActs(context.trading.mode, wallet);
		const traded = targetDocument(flow.view.quoted!.request.trade!);
		await print(
			jsonText({
				schema: 'pulsetop.trade-plan/1',
				...who,
				trade: traded,
				...signed,
				isReady,
				...review,
				toAcknowledge: missing,
			}),
		);
	} else {
		const {planHash: _, ...exact} = signed;
		await print(`${reviewText(flow.view, config.ui)}\nNothing was signed. Exactly this would be:\n${indented(exact)}`);
		for (const {word, why} of missing) await print(`needs --accept ${word}: ${why}\n`);
		await print(`plan ${planHash}\n`);
	}
	return isReady ? 0 : 3;
}

async function execute(step: Step): Promise<number> {
	const {flags, flow} = step;
	const say = (text: string) => void process.stderr.write(text);
	await confirmAndSend(step, {
		confirm: () => confirm(step, say),
		send: () => send(flow, say),
		async refresh({code}) {
			// The quote that was worse is shown already.
			if (code !== 'quote-worse') await quote(step, step.place!);
		},
	});
	const traded = flow.view.quoted!.request.trade!;
	if (isInFlight(flow.view.state)) {
		say(`${describeBridge(flow.view.state).title}: intent ${flow.view.state.intentId}\n`);
		if (!flags.has('no-wait')) await watch(flow, say);
	}
	await printOutcome(step, traded);
	return exitCodeOf(flow.view.state, {mayBeOpen: flags.has('no-wait')});
}

async function printOutcome({context, flags, wallet, flow}: Step, traded: TradeTarget): Promise<void> {
	const {state} = flow.view;
	const {mode, journal} = context.trading;
	const settled = settledTrades(journal.records()).find(({intentId}) => intentId === state.intentId);
	if (flags.has('json')) {
		const who = whoActs(mode, wallet);
		await print(
			jsonText({
				schema: 'pulsetop.trade/1',
				...who,
				trade: targetDocument(traded),
				intent: intentDocument(state),
				...(settled && {settled: settledDocument(settled)}),
			}),
		);
		return;
	}
	const hint = isInFlight(state) ? `pulsetop bridge status ${state.intentId} reads it; nothing is sent twice.\n` : '';
	await print(intentText(state) + (settled ? settledText(settled) : '') + hint);
}

async function confirm({config, flags, flow, accepted}: Step, say: (text: string) => void): Promise<void> {
	const isUnattended = flags.has('yes');
	if (!isUnattended) say(`${reviewText(flow.view, config.ui)}\n`);
	if (flow.view.toAccept.length > 0) {
		const {originChainId: chainId} = flow.view.quoted!.request;
		await acceptContracts(flow.view.toAccept, {
			chainId,
			given: accepted.roles,
			isUnattended,
			accept: (role, typed) => flow.accept(role, typed),
		});
	}
	assertPassed(flow.view.checks);
	const missing = notAcknowledged(flow.view.acknowledge, accepted.words);
	if (isUnattended && missing.length > 0) throw new TradeNotAccepted(missing);
	flow.confirm(isUnattended ? amountOf(flow) : await typedConfirmation(flow, missing), accepted.words);
}

/** Asks for the amount, and for what was not accepted by a flag. */
async function typedConfirmation(flow: BridgeFlow, missing: readonly Acknowledgement[]): Promise<string> {
	await discardTyped();
	const expected = confirmationText(amountOf(flow), missing);
	const typed = await askLine(`Type "${expected}" to sign and send; anything else cancels: `);
	return typed.toString('latin1');
}
