import type {Row} from '../../terminal/style.ts';
import {cellWidth, clean, middleEllipsis} from '../../text.ts';
import {describeBridge} from '../../trading/bridge/describe-state.ts';
import {isEnd} from '../../trading/bridge/machine.ts';
import {chainName} from '../../trading/chains.ts';
import {isOnlyNew} from '../../trading/check.ts';
import {formatUnits} from '../../trading/decimal.ts';
import {toned} from '../scene.ts';
import {isReady, isTyped, isUnsent} from './bridge-desk.ts';
import type {BridgeDesk, TokenChoice, WalletView} from './desk-state.ts';
import {AMOUNT_HINT, exactly} from './money-amount.ts';
import {bridgeDocument} from './money-document.ts';
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
	newContractRows,
	problemRows,
	sentence,
} from './money-rows.ts';
import {isQuoteOld, linesNow} from './quote-age.ts';

/** What moves, in a review. */
const MOVES: ReadonlySet<string> = new Set(['you send', 'you receive']);
/** What stands once more where it is confirmed. */
const CONFIRMED: ReadonlySet<string> = new Set(['you send', 'from', 'you receive', 'to', 'deadline', 'quote']);

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
						...sentence(look, 'dim', 'Exactly this is signed and sent. Ctrl+R shows the summary.'),
						[],
						...jsonRows(look, bridgeDocument(desk)),
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

/** A token to choose with what the wallet has of it, every digit; the longest words first. */
function tokenWords({symbol, chainId, balanceRaw, decimals}: TokenChoice): readonly string[] {
	const token = clean(symbol, {maxCells: 12});
	const name = `${token} on ${chainName(chainId)}`;
	if (balanceRaw === undefined) return [`${name}, balance not known`, name];
	return [
		`${name}, balance ${exactly(balanceRaw, decimals)} ${token}`,
		`${name}, ${exactly(balanceRaw, decimals)}`,
		name,
	];
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
		field(look, 'amount', form.amount, form.field === 'amount', AMOUNT_HINT),
		choice(look, 'you receive', tokenWords(destination), form.field === 'to'),
		field(look, 'recipient', form.recipient, form.field === 'recipient', ownWords(look, address)),
		[],
		...sentence(look, 'dim', 'Tab: next line. Arrow keys: choose. Enter: get a quote; nothing is signed yet.'),
	];
}

function reviewRows(desk: BridgeDesk, look: MoneyLook): Row[] {
	const {view} = desk;
	if (!view) return [];
	if (view.checks.length === 0)
		return sentence(
			look,
			'warn',
			'The quote is not checked yet: nothing can be signed. Enter checks it, Esc goes back.',
		);
	const isOld = isQuoteOld(view, look.nowMs);
	const failed = view.checks.filter(check => !check.ok).length;
	const onlyNew = isOnlyNew(view);
	const words = describeBridge(view.state);
	const then = isOld
		? 'The quote is too old to sign. Enter gets a fresh one.'
		: onlyNew
			? firstUseText(view.toAccept.length)
			: isReady(desk)
				? 'All checks passed. Enter goes on to the confirmation.'
				: 'Enter checks again, Esc goes back.';
	return [
		...failedRows(look, view),
		...sentence(look, failed === 0 && !isOld ? 'good' : 'warn', isOld ? then : `${words.title}. ${then}`),
		[],
		...linesNow(view, look.nowMs).flatMap(({label, text}) =>
			fact(look, label, text, label === 'quote' && isOld ? 'warn' : MOVES.has(label) ? 'strong' : 'text'),
		),
		[],
		heading(
			look,
			`${view.checks.length} checks, ${failed === 0 ? 'all passed' : onlyNew ? `${failed} to be accepted` : `${failed} failed`}`,
		),
		...checkRows(look, view),
		[],
		...sentence(look, 'dim', 'Ctrl+R shows the raw data, Ctrl+O writes it to a file. PgUp and PgDn scroll.'),
	];
}

function firstUseText(contracts: number): string {
	return contracts === 1
		? 'A contract is used here for the first time. Enter shows it, to accept or not.'
		: `${contracts} contracts are used here for the first time. Enter shows them, to accept or not.`;
}

function acceptRows({view, typed}: BridgeDesk, look: MoneyLook): Row[] {
	const [contract] = view?.toAccept ?? [];
	const chain = view?.quoted?.request.originChainId;
	if (!contract) return sentence(look, 'text', 'Every contract is accepted. Enter goes back to the review.');
	return [
		...sentence(
			look,
			'warn',
			`First time using this ${contract.role}${chain === undefined ? '' : ` on ${chainName(chain)}`}.`,
		),
		[],
		...newContractRows(look, contract, typed),
	];
}

function confirmRows(desk: BridgeDesk, look: MoneyLook): Row[] {
	const {view, typed, answer} = desk;
	const request = view!.quoted!.request;
	const amount = formatUnits(request.amountRaw, request.decimals);
	const lines = linesNow(view!, look.nowMs).filter(({label}) => CONFIRMED.has(label));
	const isOld = isQuoteOld(view, look.nowMs);
	return [
		...lines.flatMap(({label, text}) => fact(look, label, text, 'strong')),
		[],
		...(isOld
			? sentence(look, 'warn', 'The quote is too old to sign: Esc goes back and gets a fresh one.')
			: sentence(look, 'text', `Type the amount, ${amount}, then choose with Tab. Enter alone cancels.`)),
		[],
		field(look, 'amount', typed, true),
		[],
		answers(look, answer, {sign: 'Sign and send'}, isTyped(desk)),
	];
}

function statusRows(desk: BridgeDesk, look: MoneyLook): Row[] {
	const {view, sentAtMs} = desk;
	if (!view) return [];
	const {state, problem} = view;
	const words = describeBridge(state);
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
		...transferFacts(desk, look),
		...(state.intentId === undefined ? [] : fact(look, 'intent', clean(state.intentId))),
		...(state.depositTxHash === undefined ? [] : fact(look, 'deposit', clean(state.depositTxHash))),
		...(state.fillTxHash === undefined ? [] : fact(look, 'fill', clean(state.fillTxHash))),
		...(state.said === undefined ? [] : fact(look, 'message', clean(state.said))),
		...(ended ? [] : problemRows(look, problem)),
		[],
		...sentence(
			look,
			'dim',
			ended
				? isUnsent(desk)
					? 'Enter or Esc: back to the form, with everything that was typed.'
					: 'Enter: new transfer. Esc closes.'
				: 'Closing this window changes nothing: the status is still followed. Nothing is ever sent twice.',
		),
	];
}

/** What was sent and what comes of it, with amount and chain; only as far as this run asked for it. */
function transferFacts({view, form}: BridgeDesk, look: MoneyLook): Row[] {
	const quoted = view?.quoted;
	if (!quoted) return [];
	const {request, quote} = quoted;
	const wanted = request.destinationToken?.toLowerCase();
	const token = form.destinations.find(
		({chainId, address}) => chainId === request.destinationChainId && address.toLowerCase() === wanted,
	);
	const symbol = token ? ` ${clean(token.symbol, {maxCells: 12})}` : '';
	const {state} = view;
	const isThere = state.phase === 'filled' || state.phase === 'settled';
	// What the destination chain shows is exact; without that there is only the estimate of the quote.
	const shown = isThere && token && state.arrivedRaw !== undefined;
	const amount = shown
		? formatUnits(BigInt(state.arrivedRaw!), token.decimals)
		: `about ${clean(quote.estimatedAmountOut, {maxCells: 48})}`;
	const arrived = `${amount}${symbol} on ${chainName(request.destinationChainId)}${isThere && !shown ? ', says the service' : ''}`;
	const live = isEnd(state) || state.deadlineS === undefined ? undefined : state.deadlineS;
	const leftS =
		live === undefined ? undefined : live - Math.floor((look.nowMs + (view.plan?.clock.skewMs ?? 0)) / 1000);
	return [
		...fact(
			look,
			isThere ? 'you sent' : 'you send',
			`${formatUnits(request.amountRaw, request.decimals)} ${request.symbol} on ${chainName(request.originChainId)}`,
		),
		...fact(look, isThere ? 'you received' : 'you receive', arrived, isThere ? 'strong' : 'text'),
		...(leftS === undefined || leftS <= 0 ? [] : fact(look, 'deadline', `the batch is void in ${leftS} s`)),
	];
}
