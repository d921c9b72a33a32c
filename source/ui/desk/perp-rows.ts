import type {Row} from '../../terminal/style.ts';
import {clean, fitTo, padStart} from '../../text.ts';
import {chainName} from '../../trading/chains.ts';
import {isOnlyNew} from '../../trading/check.ts';
import {describeCancel} from '../../trading/perp/describe-state.ts';
import {isUnderWay, mayRetry} from '../../trading/perp/machine.ts';
import {describeTarget, sideOf} from '../../trading/perp/orders.ts';
import {price, usd} from '../format.ts';
import {toned} from '../scene.ts';
import {noWallet, unlock} from './bridge-rows.ts';
import type {PerpDesk, WalletView} from './desk-state.ts';
import {perpDocument} from './money-document.ts';
import {
	answers,
	checkRows,
	elapsed,
	fact,
	failedRows,
	heading,
	jsonRows,
	type MoneyLook,
	newContractRows,
	problemRows,
	sentence,
} from './money-rows.ts';

/** The lines of the window that cancels perpetuals orders. */
export function perpRows(desk: PerpDesk, wallet: WalletView, look: MoneyLook): Row[] {
	switch (desk.step) {
		case 'opening':
			return [];
		case 'no-wallet':
			return noWallet(look);
		case 'unlock':
			return unlock(look, wallet, desk.typed.text);
		case 'list':
			return listRows(desk, wallet, look);
		case 'review':
			return desk.isRaw && desk.view?.plan
				? [
						...sentence(look, 'dim', 'Exactly this is signed and sent. Ctrl+R shows the summary.'),
						[],
						...jsonRows(look, perpDocument(desk)),
					]
				: reviewRows(desk, look);
		case 'accept':
			return acceptRows(desk, look);
		case 'confirm':
			return [
				...(desk.view?.lines ?? []).flatMap(({label, text}) =>
					fact(look, label, text, label === 'cancels' ? 'strong' : 'text'),
				),
				[],
				...sentence(
					look,
					'text',
					'A fresh cancel request will be signed and sent. Choose with Tab; Enter alone keeps the order.',
				),
				[],
				answers(look, desk.answer, {keep: 'Keep the order', sign: 'Sign and cancel it'}, true),
			];
		case 'status':
			return statusRows(desk, look);
	}
}

function listRows({view, index}: PerpDesk, {address, mode}: WalletView, look: MoneyLook): Row[] {
	const targets = view?.targets ?? [];
	if (targets.length === 0) {
		return [
			...sentence(look, 'text', 'This wallet has no open order, take-profit or stop-loss.'),
			...fact(look, 'wallet', address ?? ''),
			[],
			...sentence(
				look,
				'dim',
				mode === 'practice'
					? 'To try the cancel, Enter places an order with test money: the wallet signs an approval of 100 USDC and a limit order for ETH at 1000 with take-profit and stop-loss.'
					: 'Enter reads the listing again.',
			),
		];
	}
	// Without this, the chain is cut on 80 columns.
	const isNarrow = look.width < 78;
	const w = {market: isNarrow ? 11 : 13, price: isNarrow ? 10 : 12};
	const header: Row = [
		toned(
			look,
			'faint',
			`  ${fitTo('EXCHANGE', 9)}${fitTo('MARKET', w.market + 1)}${fitTo('SIDE', 5)}${fitTo('KIND', 13)}${padStart('SIZE', 9)}${padStart('PRICE', w.price)}  CHAIN`,
		),
	];
	const rows = targets.map((target, at): Row => {
		const isMarked = at === index;
		const side = sideOf(target);
		const kind =
			target.orderType === 'order'
				? target.kind.toLowerCase()
				: target.orderType === 'tp'
					? 'take-profit'
					: 'stop-loss';
		return [
			toned(look, 'accent', isMarked ? `${look.signs.cursor} ` : '  '),
			toned(look, isMarked ? 'strong' : 'text', `${fitTo(target.dex, 9)}${fitTo(clean(target.marketId), w.market)} `),
			toned(look, side === 'BUY' ? 'up' : side === 'SELL' ? 'down' : 'text', fitTo(clean(side ?? '?'), 5)),
			toned(
				look,
				isMarked ? 'strong' : 'text',
				`${fitTo(clean(kind), 13)}${padStart(usd(target.sizeUSD), 9)}${padStart(price(target.price, {subscripts: look.signs.subscripts}), w.price)}`,
			),
			toned(look, 'dim', `  ${chainName(target.chainId)}`),
		];
	});
	return [
		header,
		...rows,
		[],
		...fact(look, 'selected', describeTarget(targets[index] ?? targets[0]!), 'strong'),
		[],
		...sentence(
			look,
			'dim',
			'Enter requests the payload that cancels the order. The wallet signs that request, the text api/2/perp/payloads/cancel-order-TIME with the current time; this alone cancels nothing.',
		),
	];
}

function signedRows({view}: PerpDesk, look: MoneyLook): Row[] {
	const signed = view?.signed ?? [];
	return signed.length === 0
		? []
		: [
				[],
				heading(look, 'Signed'),
				...signed.flatMap(({what, text}) => [
					...sentence(look, 'dim', what),
					...fact(look, '', clean(text, {maxLength: 2000})),
				]),
			];
}

function reviewRows(desk: PerpDesk, look: MoneyLook): Row[] {
	const {view} = desk;
	if (!view) return [];
	const failed = view.checks.filter(check => !check.ok).length;
	const onlyNew = isOnlyNew(view);
	const then = onlyNew
		? 'First time using the exchange’s contract. Enter shows it, to accept or not.'
		: failed === 0
			? 'All checks passed. Enter goes on to the confirmation.'
			: 'Esc goes back.';
	return [
		...failedRows(look, view),
		...sentence(look, failed === 0 ? 'good' : 'warn', then),
		[],
		...view.lines.flatMap(({label, text}) => fact(look, label, text, label === 'cancels' ? 'strong' : 'text')),
		[],
		heading(
			look,
			`${view.checks.length} checks, ${failed === 0 ? 'all passed' : onlyNew ? '1 to be accepted' : `${failed} failed`}`,
		),
		...checkRows(look, view),
		...signedRows(desk, look),
		[],
		...sentence(look, 'dim', 'Ctrl+R shows the raw data, Ctrl+O writes it to a file. PgUp and PgDn scroll.'),
	];
}

function acceptRows({view, typed}: PerpDesk, look: MoneyLook): Row[] {
	const contract = view?.toAccept;
	if (!contract) return sentence(look, 'text', 'The contract is accepted. Enter goes back to the review.');
	return [
		...sentence(look, 'warn', `First time using the exchange’s contract on ${chainName(contract.chainId)}.`),
		[],
		...newContractRows(look, contract, typed),
	];
}

function statusRows(desk: PerpDesk, look: MoneyLook): Row[] {
	const {view, sentAtMs} = desk;
	if (!view) return [];
	const words = describeCancel(view.state);
	const tone = ({info: 'accent', good: 'good', warn: 'warn', bad: 'bad'} as const)[words.tone];
	const goes = isUnderWay(view.state);
	const isOpen = goes && !mayRetry(view.state);
	return [
		[
			toned(
				look,
				tone,
				`${goes ? look.signs.live : words.tone === 'good' ? look.signs.check : look.signs.cross} ${words.title}`,
			),
			toned(look, 'dim', `  ${elapsed(sentAtMs, look.nowMs)}`),
		],
		...sentence(look, 'text', words.text),
		...(view.plan ? [[], ...fact(look, 'order', describeTarget(view.plan.target))] : []),
		...(view.state.txHash === undefined ? [] : fact(look, 'hash', clean(view.state.txHash))),
		...(view.state.said === undefined ? [] : fact(look, 'message', clean(view.state.said))),
		...(words.tone === 'bad' ? problemRows(look, view.problem) : []),
		...signedRows(desk, look),
		[],
		...sentence(
			look,
			'dim',
			isOpen ? 'Closing this window changes nothing.' : 'Enter goes back to the orders, Esc closes.',
		),
	];
}
