import {chainName} from '../../chains/chains.ts';
import {editOf, type TextEdit} from '../../monitor/transitions/text-edit.ts';
import type {Row} from '../../terminal/style.ts';
import {cellWidth, clean, middleEllipsis} from '../../text.ts';
import {describeBridge} from '../../trading/bridge/describe-state.ts';
import type {BridgeFlow, BridgeView} from '../../trading/bridge/flow.ts';
import {isEnd} from '../../trading/bridge/machine.ts';
import {formatUnits} from '../../trading/decimal.ts';
import {AMOUNT_HINT, amountEdited, exactly} from './amount.ts';
import {formOver, transferOf} from './bridge-form.ts';
import type {MoneyPart} from './money-part.ts';
import {choice, fact, factsOf, field, LABEL, type MoneyCanvas, paragraph} from './money-rows.ts';
import {
	BRIDGE_FIELDS,
	type BridgeForm,
	type BridgeWindow,
	NO_TRANSFER,
	type TokenChoice,
	type WalletView,
} from './money-state.ts';
import type {MoneyWallet} from './money-wallet.ts';
import {linesNow, quoteAge} from './plan-age.ts';
import {BATCH_DETAILS, isUnsentEnd, TRANSFER_STEPS, transferStatus} from './transfer-steps.ts';

export interface BridgePartOptions {
	readonly wallet: Pick<MoneyWallet, 'tokens' | 'bridgeFlow'>;
	/** Chain of the selected token: a new transfer begins on this chain where possible. */
	readonly preferredChain: () => string | undefined;
	/** Called with every change of a transfer. */
	readonly onTransfer: (state: BridgeView['state']) => void;
}

/** Labels of the lines with the amounts of a review. */
const MOVES: ReadonlySet<string> = new Set(['you send', 'you receive']);
/** Labels of the lines that the confirmation repeats. */
const CONFIRMED: ReadonlySet<string> = new Set(['you send', 'from', 'you receive', 'the swap', 'to', 'deadline']);
const DETAILS: ReadonlySet<string> = new Set([...BATCH_DETAILS, 'from']);

/** A gasless transfer to another chain. */
export function bridgePart({
	wallet,
	preferredChain,
	onTransfer,
}: BridgePartOptions): MoneyPart<BridgeForm, BridgeView, BridgeFlow> {
	return {
		...TRANSFER_STEPS,
		kind: 'bridge',
		emptyForm: NO_TRANSFER,
		reading: 'Reading the wallet',
		async read(flow) {
			const tokens = await wallet.tokens();
			const isDone = flow !== undefined && isGood(flow.view.state);
			return {
				form: before => formOver(isDone ? {...before, amount: editOf('')} : before, tokens, preferredChain()),
			};
		},
		moved({form}, by) {
			const at = BRIDGE_FIELDS.indexOf(form.field);
			return {...form, field: BRIDGE_FIELDS[around(at + by, BRIDGE_FIELDS.length)]!};
		},
		turned({form}, by) {
			if (form.field === 'from') return {...form, origin: around(form.origin + by, form.origins.length)};
			if (form.field === 'to') return {...form, destination: around(form.destination + by, form.destinations.length)};
			return undefined;
		},
		edited: ({form}, change) => formEdited(form, change),
		start({form}) {
			const ends = endsOf(form);
			return (
				ends && {
					text: 'Asking for a quote and checking it',
					async run() {
						const input = transferOf(form, ...ends);
						const flow = await wallet.bridgeFlow();
						await flow.quote(input);
						return flow;
					},
				}
			);
		},
		again: (_window, flow) => ({
			text: 'Checking again',
			async run() {
				await flow.review();
				return flow;
			},
		}),

		age: quoteAge,
		refresh({form}, flow) {
			const ends = endsOf(form);
			return ends && (async () => flow.quote(transferOf(form, ...ends)));
		},
		expected: ({quoted}) =>
			quoted && {what: 'amount', text: formatUnits(quoted.request.amountRaw, quoted.request.decimals)},
		isUnsent,
		changed: ({state}) => onTransfer(state),

		formRows,
		formHints({form, problem}) {
			const choices = {from: form.origins, to: form.destinations, amount: [], recipient: []}[form.field];
			if (!endsOf(form)) return {'money.back': 'close'};
			return {
				'money.accept': 'get a quote',
				'money.next': 'next line',
				...(choices.length > 1 && {'money.right': 'other token'}),
				'money.back': problem ? 'back' : 'close',
			};
		},
		details: DETAILS,
		lines(view, step, nowMs) {
			const isConfirmed = step === 'confirm';
			const lines = linesNow(view, nowMs).map(({isMarked, ...line}) => ({
				...line,
				tone: isMarked
					? ('warn' as const)
					: isConfirmed || MOVES.has(line.label)
						? ('strong' as const)
						: ('text' as const),
			}));
			return isConfirmed ? lines.filter(({label}) => CONFIRMED.has(label)) : lines;
		},
		status: ({view, form}) =>
			transferStatus(view, describeBridge(view.state), {
				followed: 'status',
				again: 'new transfer',
				enter: 'new transfer',
				isUnsent: isUnsent({form, view}),
			}),
		statusRows(window, canvas) {
			const {intentId, depositTxHash, fillTxHash, likeTxHash, said} = window.view.state;
			return [
				[],
				...transferRows(window, canvas),
				...factsOf(canvas, {
					intent: intentId,
					deposit: depositTxHash,
					fill: fillTxHash,
					'other payment': likeTxHash,
					message: said,
				}),
			];
		},
	};
}

/** The tokens that a form has chosen; undefined where a list is empty. */
function endsOf({
	origins,
	origin,
	destinations,
	destination,
}: BridgeForm): readonly [TokenChoice, TokenChoice] | undefined {
	const [from, to] = [origins[origin], destinations[destination]];
	return from && to && [from, to];
}

function formEdited(form: BridgeForm, change: (edit: TextEdit) => TextEdit): BridgeForm | undefined {
	if (form.field === 'recipient') return {...form, recipient: change(form.recipient)};
	// A number, or the word max, is meant for the amount, whichever of the two choices is marked.
	if (form.field !== 'amount' && !/^([\d.,'’_ ]+|m|max)$/i.test(change(editOf('')).text)) return undefined;
	const {balanceRaw, decimals = 0} = form.origins[form.origin] ?? {};
	return {...form, field: 'amount', amount: amountEdited(change(form.amount), balanceRaw, decimals)};
}

/** Whether the transfer did what was requested. */
function isGood({phase}: BridgeView['state']): boolean {
	return phase === 'filled' || phase === 'settled';
}

/** Whether a transfer ended without anything sent, and can be changed and requested again. */
function isUnsent({form, view}: Pick<BridgeWindow, 'form' | 'view'>): boolean {
	return form.origins.length > 0 && isUnsentEnd(view);
}

function around(index: number, length: number): number {
	return length === 0 ? 0 : (index + length) % length;
}

/** A token to choose with its balance, every digit; the longest text first. */
function tokenTexts({symbol, chainId, balanceRaw, decimals}: TokenChoice): readonly string[] {
	const token = clean(symbol, {maxCells: 12});
	const name = `${token} on ${chainName(chainId)}`;
	if (balanceRaw === undefined) return [`${name}, balance not known`, name];
	const balance = exactly(balanceRaw, decimals);
	return [`${name}, balance ${balance} ${token}`, `${name}, ${balance}`, name];
}

/** Where the tokens go unless another address is typed: to the wallet itself, named whole where there is room. */
function ownText({width}: MoneyCanvas, address = ''): string {
	const whole = `this wallet, ${address}`;
	const room = width - LABEL;
	return cellWidth(whole) < room ? whole : `this wallet, ${middleEllipsis(address, Math.max(room - 14, 9))}`;
}

function formRows({form}: BridgeWindow, {address, mode}: WalletView, canvas: MoneyCanvas): Row[] {
	const ends = endsOf(form);
	if (!ends) {
		return paragraph(
			canvas,
			'warn',
			mode === 'practice'
				? 'The practice chains have no token that can be bridged.'
				: 'No token is configured: name those that you use under [wallet] tokens = ["evm:8453:0x..."], and a node for each chain under [rpc].',
		);
	}
	return [
		choice(canvas, 'you send', tokenTexts(ends[0]), form.field === 'from'),
		field(canvas, 'amount', form.amount, form.field === 'amount', AMOUNT_HINT),
		choice(canvas, 'you receive', tokenTexts(ends[1]), form.field === 'to'),
		field(canvas, 'recipient', form.recipient, form.field === 'recipient', ownText(canvas, address)),
		[],
		...paragraph(canvas, 'dim', 'Tab: next line. Arrow keys: choose. Enter: get a quote; nothing is signed yet.'),
	];
}

/** What was sent and what arrives, with amount and chain, as far as this run requested it. */
function transferRows({view, form}: BridgeWindow, canvas: MoneyCanvas): Row[] {
	const quoted = view?.quoted;
	if (!quoted) return [];
	const {request, quote} = quoted;
	const address = request.destinationToken?.toLowerCase();
	const token = form.destinations.find(
		other => other.chainId === request.destinationChainId && other.address.toLowerCase() === address,
	);
	const symbol = token ? ` ${clean(token.symbol, {maxCells: 12})}` : '';
	const {state} = view;
	const isThere = isGood(state);
	// What the destination chain shows is exact; without that there is only the estimate of the quote.
	const shown = isThere && token && state.arrivedRaw !== undefined;
	const amount = shown
		? formatUnits(BigInt(state.arrivedRaw!), token.decimals)
		: `about ${clean(quote.estimatedAmountOut, {maxCells: 48})}`;
	const arrived = `${amount}${symbol} on ${chainName(request.destinationChainId)}${isThere && !shown ? ', says the service' : ''}`;
	const sent = `${formatUnits(request.amountRaw, request.decimals)} ${request.symbol} on ${chainName(request.originChainId)}`;
	const nowS = Math.floor((canvas.nowMs + (view.plan?.clock.skewMs ?? 0)) / 1000);
	const leftS = isEnd(state) ? 0 : (state.deadlineS ?? nowS) - nowS;
	return [
		...fact(canvas, isThere ? 'you sent' : 'you send', sent),
		...fact(canvas, isThere ? 'you received' : 'you receive', arrived, isThere ? 'strong' : 'text'),
		...(leftS <= 0 ? [] : fact(canvas, 'deadline', `the batch is void in ${leftS} s`)),
	];
}
