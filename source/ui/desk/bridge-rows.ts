import type {Row} from '../../terminal/style.ts';
import {cellWidth, clean, middleEllipsis} from '../../text.ts';
import {isEnd} from '../../trading/bridge/machine.ts';
import {unsignedPlanOf} from '../../trading/bridge/plan.ts';
import {stateWords} from '../../trading/bridge/words.ts';
import {chainName} from '../../trading/chains.ts';
import {isOnlyNew} from '../../trading/check.ts';
import {formatUnits} from '../../trading/decimal.ts';
import {PIN_TAIL} from '../../trading/pins.ts';
import {compact} from '../format.ts';
import {toned} from '../scene.ts';
import {isTyped} from './bridge-desk.ts';
import type {BridgeDesk, TokenChoice, WalletView} from './desk-state.ts';
import {
	answers,
	checkRows,
	choice,
	elapsed,
	fact,
	failedRows,
	field,
	heading,
	jsonRows,
	LABEL,
	type MoneyLook,
	problemRows,
	sentence,
} from './money-rows.ts';

/** The lines of the bridge window, from top to bottom. */
export function bridgeRows(desk: BridgeDesk, wallet: WalletView, look: MoneyLook): Row[] {
	switch (desk.step) {
		case 'opening':
			return [];
		case 'no-wallet':
			return noWallet(look);
		case 'unlock':
			return unlock(look, wallet, desk.typed.text);
		case 'form':
			return formRows(desk, wallet, look);
		case 'review':
			return desk.isRaw && desk.view?.plan
				? [
						...sentence(look, 'dim', 'Exactly this is signed and sent. Ctrl+R goes back.'),
						[],
						...jsonRows(look, unsignedPlanOf(desk.view.plan)),
					]
				: reviewRows(desk, look);
		case 'accept':
			return acceptRows(desk, look);
		case 'confirm':
			return confirmRows(desk, look);
		case 'status':
			return statusRows(desk, look);
	}
}

export function noWallet(look: MoneyLook): Row[] {
	return [
		...sentence(look, 'text', 'There is no wallet for real money here yet.'),
		[],
		...sentence(
			look,
			'dim',
			'In a shell: pulsetop wallet create NAME makes one, pulsetop wallet import NAME takes a key or a key file. Keys are kept encrypted in your data directory.',
		),
	];
}

export function unlock(look: MoneyLook, {name, address}: WalletView, typed: string): Row[] {
	return [
		...fact(look, 'wallet', `${name ?? ''} ${address ?? ''}`),
		[
			toned(look, 'dim', 'passphrase '),
			toned(look, 'strong', look.signs.dot.repeat(typed.length)),
			{text: ' ', style: {inverse: true}},
		],
		[],
		...sentence(look, 'dim', 'The key is decrypted for signing only, and locked again after a while. Enter unlocks.'),
	];
}

/** A token to choose, the longest words first. */
function tokenWords({symbol, chainId, balanceRaw, decimals}: TokenChoice): readonly string[] {
	const name = `${clean(symbol, {maxCells: 12})} on ${chainName(chainId)}`;
	return balanceRaw === undefined
		? [name]
		: [`${name}, ${compact(Number(formatUnits(balanceRaw, decimals)))} there`, name];
}

/** Where the tokens go unless another address is typed: to the wallet itself, named whole where there is room. */
function ownWords({width}: MoneyLook, address = ''): string {
	const whole = `this wallet, ${address}`;
	return cellWidth(whole) < width - LABEL
		? whole
		: `this wallet, ${middleEllipsis(address, Math.max(width - LABEL - 14, 9))}`;
}

function formRows({form}: BridgeDesk, {address, mode}: WalletView, look: MoneyLook): Row[] {
	const [origin, destination] = [form.origins[form.origin], form.destinations[form.destination]];
	if (!origin || !destination) {
		return sentence(
			look,
			'warn',
			mode === 'practice'
				? 'The practice chains have no token that can be bridged.'
				: 'No token is configured: name those that you use under [wallet] tokens = ["evm:8453:0x..."], and a node for each chain under [rpc].',
		);
	}
	return [
		choice(look, 'you send', tokenWords(origin), form.field === 'from'),
		field(look, 'amount', form.amount, form.field === 'amount', 'a decimal number'),
		choice(look, 'you get', tokenWords(destination), form.field === 'to'),
		field(look, 'recipient', form.recipient, form.field === 'recipient', ownWords(look, address)),
		[],
		...sentence(
			look,
			'dim',
			'Tab goes on to the next line, the arrow keys choose. Enter asks for a quote; nothing is signed by that.',
		),
	];
}

function reviewRows({view}: BridgeDesk, look: MoneyLook): Row[] {
	if (!view) return [];
	const failed = view.checks.filter(check => !check.ok).length;
	const onlyNew = isOnlyNew(view);
	const words = stateWords(view.state);
	const then = onlyNew
		? 'A contract is met here for the first time. Enter shows it, to be accepted or not.'
		: view.state.phase === 'reviewed'
			? 'All checks passed. Enter goes on to the confirmation.'
			: `${failed} ${failed === 1 ? 'check has' : 'checks have'} failed: nothing can be signed. Enter checks again, Esc goes back.`;
	return [
		...failedRows(look, view),
		...view.lines.flatMap(({label, text}) =>
			fact(look, label, text, label === 'leaves' || label === 'arrives' ? 'strong' : 'text'),
		),
		[],
		heading(
			look,
			`${view.checks.length} checks, ${failed === 0 ? 'all passed' : onlyNew ? `${failed} to be accepted` : `${failed} failed`}`,
		),
		...checkRows(look, view),
		[],
		...sentence(look, failed === 0 ? 'good' : 'warn', `${words.title}. ${then}`),
		...sentence(look, 'dim', 'Ctrl+R shows the bytes. PgUp and PgDn scroll.'),
	];
}

function acceptRows({view, typed}: BridgeDesk, look: MoneyLook): Row[] {
	const [contract] = view?.toAccept ?? [];
	if (!contract) return sentence(look, 'text', 'Every contract is accepted. Enter goes back to the review.');
	return [
		...sentence(look, 'warn', `The ${contract.role} of this chain is met for the first time.`),
		[],
		...fact(look, 'address', contract.address, 'strong'),
		[],
		...sentence(
			look,
			'text',
			`Compare it with what the service publishes. It is remembered, and another one is refused from then on. Type its last ${PIN_TAIL} characters to accept it:`,
		),
		[],
		field(look, 'ends with', typed, true),
	];
}

function confirmRows(desk: BridgeDesk, look: MoneyLook): Row[] {
	const {view, typed, answer} = desk;
	const request = view!.quoted!.request;
	const amount = formatUnits(request.amountRaw, request.decimals);
	const lines = view!.lines.filter(({label}) => ['leaves', 'from', 'arrives', 'to', 'deadline'].includes(label));
	return [
		...lines.flatMap(({label, text}) => fact(look, label, text, 'strong')),
		[],
		...sentence(look, 'text', `Type the amount, ${amount}, then choose with Tab. Enter alone cancels.`),
		[],
		field(look, 'amount', typed, true),
		[],
		answers(look, answer, {sign: 'Sign and send'}, isTyped(desk)),
	];
}

function statusRows({view, sentAtMs}: BridgeDesk, look: MoneyLook): Row[] {
	if (!view) return [];
	const {state, problem} = view;
	const words = stateWords(state);
	const tone = ({info: 'accent', good: 'good', warn: 'warn', bad: 'bad'} as const)[words.tone];
	const ended = isEnd(state);
	return [
		[
			toned(
				look,
				tone,
				`${ended ? (words.tone === 'good' ? look.signs.check : look.signs.cross) : look.signs.live} ${words.title}`,
			),
			toned(look, 'dim', `  ${elapsed(sentAtMs, ended ? (state.readAtMs ?? look.nowMs) : look.nowMs)}`),
		],
		...sentence(look, 'text', words.text),
		[],
		...(state.intentId === undefined ? [] : fact(look, 'intent', clean(state.intentId))),
		...(state.depositTxHash === undefined ? [] : fact(look, 'deposit', clean(state.depositTxHash))),
		...(state.fillTxHash === undefined ? [] : fact(look, 'fill', clean(state.fillTxHash))),
		...(state.said === undefined ? [] : fact(look, 'said', clean(state.said))),
		...(ended ? [] : problemRows(look, problem)),
		[],
		...sentence(
			look,
			'dim',
			ended
				? 'Enter begins another, Esc closes.'
				: 'Closing this window changes nothing: the status goes on being read. Nothing is ever sent twice.',
		),
	];
}
