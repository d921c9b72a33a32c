import {editOf, type TextEdit} from '../../monitor/transitions/text-edit.ts';
import {describeBridge} from '../../trading/bridge/describe-state.ts';
import type {BridgeFlow, BridgeView} from '../../trading/bridge/flow.ts';
import {formatUnits} from '../../trading/decimal.ts';
import {amountEdited} from './amount.ts';
import {endsOf, formOver, isGood, transferOf} from './bridge-form.ts';
import {BridgeFormBody, TransferFacts} from './bridge-view.tsx';
import type {MoneyPart} from './money-part.ts';
import {BRIDGE_FIELDS, type BridgeForm, type BridgeWindow, NO_TRANSFER} from './money-state.ts';
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

		FormBody: BridgeFormBody,
		formHints({form, problem}) {
			const choices = {from: form.origins, to: form.destinations, amount: [], recipient: []}[form.field];
			if (!endsOf(form)) return {'money.back': 'close'};
			return {
				'money.accept': 'get a quote',
				'form.next': 'next line',
				...(choices.length > 1 && {'edit.right': 'other token'}),
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
		StatusFacts: TransferFacts,
	};
}

function formEdited(form: BridgeForm, change: (edit: TextEdit) => TextEdit): BridgeForm | undefined {
	if (form.field === 'recipient') return {...form, recipient: change(form.recipient)};
	// A number, or the word max, is meant for the amount, whichever of the two choices is marked.
	if (form.field !== 'amount' && !/^([\d.,'’_ ]+|m|max)$/i.test(change(editOf('')).text)) return undefined;
	const {balanceRaw, decimals = 0} = form.origins[form.origin] ?? {};
	return {...form, field: 'amount', amount: amountEdited(change(form.amount), balanceRaw, decimals)};
}

/** Whether a transfer ended without anything sent, and can be changed and requested again. */
function isUnsent({form, view}: Pick<BridgeWindow, 'form' | 'view'>): boolean {
	return form.origins.length > 0 && isUnsentEnd(view);
}

function around(index: number, length: number): number {
	return length === 0 ? 0 : (index + length) % length;
}
