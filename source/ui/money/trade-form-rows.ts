import {chainName} from '../../chains/chains.ts';
import type {KeyHints} from '../../monitor/state.ts';
import type {Row, Span} from '../../terminal/style.ts';
import {clean, padEnd} from '../../text.ts';
import {slippageOf} from '../../trading/bridge/slippage.ts';
import {formatUnits} from '../../trading/decimal.ts';
import {readable} from '../../trading/trade/words.ts';
import type {TradeTarget} from '../../trading/traded-token.ts';
import {usd} from '../format.ts';
import {toned} from '../view-model.ts';
import {exactly} from './amount.ts';
import {choice, fact, field, LABEL, type MoneyCanvas, paragraph} from './money-rows.ts';
import type {TokenChoice, TradeForm, TradeWindow, WalletView} from './money-state.ts';
import {hasAmount} from './trade-form.ts';

/** The form of a trade. The token stands in the lines above it, in every step. */
export function tradeFormRows({form}: TradeWindow, {mode}: WalletView, canvas: MoneyCanvas): Row[] {
	const {target, dollars, field: active} = form;
	const dollar = dollars[form.dollar];
	if (!target) return [];
	if (!dollar) return paragraph(canvas, 'warn', noDollarText(target, mode));
	const isSale = target.side === 'sell';
	if (isSale && (form.held?.balanceRaw ?? 0n) === 0n)
		return paragraph(
			canvas,
			'warn',
			`This wallet has no ${symbolOf(target)} on ${chainName(target.chainId)}: there is nothing to sell.`,
		);
	return [
		...(isSale ? heldRows(form, target, canvas) : []),
		presetRow(form, canvas),
		...(active === 'amount' || form.amount.text !== ''
			? [
					field(
						canvas,
						isSale ? 'tokens' : 'USD',
						form.amount,
						active === 'amount',
						isSale ? 'e.g. 1500, 30% or max' : 'e.g. 12.5',
					),
				]
			: []),
		choice(canvas, isSale ? 'receive' : 'pay with', dollarTexts(dollar), active === 'chain'),
		field(canvas, 'slippage', form.slippage, active === 'slippage', `automatic: ${slippageOf({trade: target})} %`),
		[],
		...paragraph(canvas, 'dim', keysText(form)),
	];
}

/** The keys that do something in the form. */
export function tradeFormHints(form: TradeForm, hasProblem: boolean): KeyHints {
	const close = {'money.back': hasProblem ? 'back' : 'close'};
	if (form.dollars.length === 0 || !form.target) return close;
	return {
		...(hasAmount(form) && {'money.accept': 'get a quote'}),
		'money.next': 'next line',
		...(form.dollars.length > 1 && {'money.right': 'other chain'}),
		...close,
	};
}

function symbolOf({symbol}: TradeTarget): string {
	return clean(symbol, {maxCells: 14});
}

function noDollarText({chainId, side}: TradeTarget, mode: WalletView['mode']): string {
	const where = side === 'buy' ? 'pays for it' : 'can be received';
	return mode === 'practice'
		? `No practice chain beside ${chainName(chainId)} has USDC that ${where}.`
		: `No USDC on another chain than ${chainName(chainId)} is known, and the bridge only goes to other chains. Name it under [wallet] tokens = ["evm:8453:0x..."], and a node for its chain under [rpc].`;
}

/** What the wallet has of the token, rounded down, and what that is worth by the feed. */
function heldRows({held}: TradeForm, target: TradeTarget, canvas: MoneyCanvas): Row[] {
	if (held?.balanceRaw === undefined) return [];
	const {balanceRaw, decimals} = held;
	const value =
		target.priceUSD === undefined
			? 'its price is not reported'
			: `about ${usd(Number(formatUnits(balanceRaw, decimals)) * target.priceUSD)} by the feed`;
	return fact(canvas, ' you hold', `${readable(formatUnits(balanceRaw, decimals))} ${symbolOf(target)}, ${value}`);
}

/** The amounts of the number keys, the chosen one marked. */
function presetRow({amounts, preset, target, field: active}: TradeForm, canvas: MoneyCanvas): Row {
	const isActive = active === 'presets';
	const presets = amounts.flatMap((amount, at): Span[] => {
		const text = target?.side === 'sell' ? `${amount} %` : `$${amount}`;
		const isChosen = at === preset;
		return [
			toned(canvas, 'key', `${at + 1} `),
			isChosen ? {text: `[${text}]`, style: canvas.theme.tones.strong} : toned(canvas, isActive ? 'text' : 'dim', text),
			{text: '   '},
		];
	});
	return [
		toned(canvas, 'accent', isActive ? canvas.glyphs.cursor : ' '),
		toned(canvas, isActive ? 'key' : 'dim', padEnd('amount', LABEL - 1)),
		...presets,
	];
}

/** The USDC that pays or is received, with its balance; the longest text first. */
function dollarTexts({symbol, chainId, balanceRaw, decimals}: TokenChoice): readonly string[] {
	const token = clean(symbol, {maxCells: 12});
	const name = `${token} on ${chainName(chainId)}`;
	if (balanceRaw === undefined) return [`${name}, balance not known`, name];
	const balance = exactly(balanceRaw, decimals);
	return [`${name}, balance ${balance} ${token}`, `${name}, ${balance}`, name];
}

function keysText({field: active, amounts, dollars}: TradeForm): string {
	const numbers = amounts.length === 1 ? '1' : `1 to ${amounts.length}`;
	const chain = dollars.length > 1 ? ' a: another chain.' : '';
	if (active === 'amount' || active === 'slippage')
		return 'Type it, then Enter: get a quote; nothing is signed yet. Tab: next line.';
	return `${numbers}: this amount, and its quote at once; nothing is signed yet. $: type an amount.${chain} %: slippage.`;
}
