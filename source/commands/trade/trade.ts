import {chainName} from '../../chains/chains.ts';
import type {Config} from '../../config/config.ts';
import type {TradeSide, TradeTarget} from '../../contract/trade-target.ts';
import {PulsetopError} from '../../errors.ts';
import {confirmationText, notAcknowledged} from '../../trading/acknowledge.ts';
import type {BridgeFlow} from '../../trading/bridge/flow.ts';
import {parseUnits} from '../../trading/decimal.ts';
import {settledTrades} from '../../trading/positions/settled.ts';
import {givePracticeDollars} from '../../trading/practice-wallet.ts';
import {whyNotTraded} from '../../trading/trade/target.ts';
import {intentDocument, intentText, reviewDocument} from '../bridge/describe-intent.ts';
import {amountOf, exitCodeOf, follow, planText, readHint, send, signedPlan} from '../bridge/execute.ts';
import type {Call} from '../line/command.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {amountFlag} from '../trading/amount-flag.ts';
import {assertMayAct, chooseWallet, withTrading} from '../trading/context.ts';
import {confirmAndSend, type MoneyStep, printMoney} from '../trading/money-command.ts';
import {askText} from '../trading/passphrase-prompt.ts';
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
 * amount and confirms each warning; a program gives the hash of a dry run and names the warnings that it accepts.
 * @returns 0 when the destination chain shows the trade, 1 when nothing was traded, 3 for a dry run whose plan cannot be executed,
 * 4 when no chain shows the end yet, 69 when nothing could be sent
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

interface Step extends MoneyStep {
	readonly side: TradeSide;
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

/** Flags repeated beside a plan must agree with it. @throws UsageError naming the flag */
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

async function dryRun(step: Step): Promise<number> {
	const {config, flow, accepted} = step;
	const signed = await signedPlan(flow, accepted.roles);
	const toAcknowledge = notAcknowledged(flow.view.acknowledge, accepted.words);
	const {isReady: hasPassed, ...review} = reviewDocument(flow);
	const isReady = hasPassed && toAcknowledge.length === 0;
	const trade = targetDocument(flow.view.quoted!.request.trade!);
	const document = {schema: 'pulsetop.trade-plan/1', trade, ...signed, isReady, ...review, toAcknowledge};
	const notes = toAcknowledge.map(({word, why}) => `needs --accept ${word}: ${why}\n`).join('');
	await printMoney(step, document, () => planText(flow, config, signed, notes));
	return isReady ? 0 : 3;
}

async function execute(step: Step): Promise<number> {
	const {context, flags, flow, accepted} = step;
	await confirmAndSend(step, {
		view: () => flow.view,
		chainId: () => flow.view.quoted!.request.originChainId,
		given: accepted.roles,
		accept: (role, typed) => flow.accept(role, typed),
		async confirm(isPlanned) {
			const missing = notAcknowledged(flow.view.acknowledge, accepted.words);
			if (isPlanned && missing.length > 0) throw new TradeNotAccepted(missing);
			// A person is asked for the amount, and for what was not accepted by a flag.
			const question = `Type "${confirmationText(amountOf(flow), missing)}" to sign and send; anything else cancels: `;
			flow.confirm(isPlanned ? amountOf(flow) : await askText(question), accepted.words);
		},
		send: () => send(flow),
		async refresh({code}) {
			// The quote that was worse is shown already.
			if (code !== 'quote-worse') await quote(step, step.place!);
		},
	});
	const traded = flow.view.quoted!.request.trade!;
	await follow(flow, flags);
	const {state} = flow.view;
	const settled = settledTrades(context.trading.journal.records()).find(({intentId}) => intentId === state.intentId);
	const document = {
		schema: 'pulsetop.trade/1',
		trade: targetDocument(traded),
		intent: intentDocument(state),
		...(settled && {settled: settledDocument(settled)}),
	};
	await printMoney(step, document, () => intentText(state) + (settled ? settledText(settled) : '') + readHint(state));
	return exitCodeOf(state, {mayBeOpen: flags.has('no-wait')});
}
