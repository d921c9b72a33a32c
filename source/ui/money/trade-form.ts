import {chainName} from '../../chains/chains.ts';
import type {TradeTarget} from '../../contract/trade-target.ts';
import {PulsetopError} from '../../errors.ts';
import {editOf, type TextEdit} from '../../monitor/transitions/text-edit.ts';
import {MAX_SLIPPAGE} from '../../trading/bridge/slippage.ts';
import {formatUnits, parseUnits} from '../../trading/decimal.ts';
import {assertAmount} from './amount.ts';
import {NO_TRADE, type TokenChoice, TRADE_FIELDS, type TradeForm} from './money-state.ts';

/** The settings of [trade]. */
export interface TradeSettings {
	readonly amounts: readonly number[];
	readonly sell: readonly number[];
	/** Per cent. */
	readonly slippage: number | 'auto';
	/** The chain whose USDC is used; `auto`: the largest balance. */
	readonly from: string;
}

/** A form that makes no valid trade. */
class BadTrade extends PulsetopError {
	readonly code = 'bad-trade';

	constructor(what: string, why: string) {
		super(what, {why, next: 'fix-input'});
	}
}

/** The form of a new window. @param target what was under the cursor when the key was pressed */
export function tradeFormOf(target: TradeTarget, {amounts, sell, slippage}: TradeSettings): TradeForm {
	return {
		...NO_TRADE,
		target,
		amounts: target.side === 'buy' ? amounts : sell,
		slippage: editOf(slippage === 'auto' ? '' : String(slippage)),
	};
}

/**
 * The form with balances that were read again: the chosen chain stays chosen.
 * @param tokens of the wallet
 * @param chainId the configured chain; undefined: the largest balance
 */
export function tradeFormOver(
	form: TradeForm,
	{
		tokens,
		held,
		chainId,
	}: {tokens: readonly TokenChoice[]; held?: TokenChoice | undefined; chainId?: string | undefined},
): TradeForm {
	const {held: _, ...rest} = form;
	const dollars = tokens
		.filter(token => isDollar(token) && token.chainId !== form.target?.chainId)
		.toSorted((a, b) => wholeOf(b) - wholeOf(a));
	const chosen = form.dollars[form.dollar]?.chainId ?? chainId;
	const dollar = Math.max(
		dollars.findIndex(token => token.chainId === chosen),
		0,
	);
	return {...rest, dollars, dollar, ...(held && {held})};
}

/** Tokens of a wallet were chosen by the person or are the test money of practice chains: there a symbol can be believed. */
function isDollar({symbol}: TokenChoice): boolean {
	return symbol.toUpperCase() === 'USDC';
}

/** For the order of a list only. */
function wholeOf({balanceRaw = 0n, decimals}: TokenChoice): number {
	return Number(formatUnits(balanceRaw, decimals));
}

/** The next line of the form. */
export function fieldMoved(form: TradeForm, by: 1 | -1): TradeForm {
	const at = TRADE_FIELDS.indexOf(form.field) + by;
	return {...form, field: TRADE_FIELDS[(at + TRADE_FIELDS.length) % TRADE_FIELDS.length]!};
}

/** Another chain that pays or receives; undefined where there is no other. */
export function chainTurned(form: TradeForm, by: 1 | -1): TradeForm | undefined {
	const count = form.dollars.length;
	return count < 2 ? undefined : {...form, dollar: (form.dollar + by + count) % count};
}

/**
 * The form after a key. The number keys are amounts until a line is typed into: `$`, a dot or Tab leads to the amount, `%` to the
 * slippage, `a` to another chain.
 */
export function keyPressed(
	form: TradeForm,
	key: string,
): {readonly form: TradeForm; readonly isStart?: boolean} | 'text' | undefined {
	const {field, target, amount} = form;
	const isTyping = field === 'amount' || field === 'slippage';
	// Separators too: one that is left out would make 15 of 1,5. What is meant is asked.
	if (isTyping && /^[\d.,'’_ ]$/.test(key)) return 'text';
	// `max` and `30%` are amounts of a sale.
	if (field === 'amount' && target?.side === 'sell' && (/^[max]$/i.test(key) || (key === '%' && amount.text !== '')))
		return 'text';
	if (key === '$') return {form: {...form, field: 'amount'}};
	if (key === '%') return {form: {...form, field: 'slippage'}};
	if (key === 'a') {
		const turned = chainTurned(form, 1);
		return turned && {form: turned};
	}
	if (isTyping) return undefined;
	if (key === '.') return {form: amountTyped({...form, field: 'amount'}, editOf('0.'))};
	const preset = /^[1-9]$/.test(key) ? Number(key) - 1 : -1;
	if (form.amounts[preset] === undefined) return undefined;
	return {form: {...form, field: 'presets', preset, amount: editOf('')}, isStart: true};
}

/** Text was typed or pasted. Outside of a line for text only a pasted number is taken, as the amount: it starts nothing. */
export function formEdited(form: TradeForm, change: (edit: TextEdit) => TextEdit): TradeForm | undefined {
	if (form.field === 'slippage') return {...form, slippage: change(form.slippage)};
	if (form.field === 'amount') return amountTyped(form, change(form.amount));
	const pasted = change(editOf(''));
	return /^\d[\d.,'’_\s]*$/.test(pasted.text) ? amountTyped({...form, field: 'amount'}, pasted) : undefined;
}

function amountTyped(form: TradeForm, amount: TextEdit): TradeForm {
	const {preset: _, ...rest} = form;
	return {...rest, amount};
}

/** The amount of a trade and its slippage. */
export interface FilledTrade {
	readonly target: TradeTarget;
	/** The USDC that pays, or is received. */
	readonly dollar: TokenChoice;
	/** Decimal text: USDC of a buy, tokens of a sale. */
	readonly amount: string;
	/** Per cent; undefined: automatic. */
	readonly slippage?: number;
}

/**
 * The trade that a form describes; undefined while no amount was given.
 * @throws BadAmount, NotEnough, BadTrade, before any request
 */
export function tradeOf(form: TradeForm): FilledTrade | undefined {
	const {target} = form;
	const dollar = form.dollars[form.dollar];
	if (!target || !dollar || !hasAmount(form)) return undefined;
	const amount = target.side === 'buy' ? spent(form, dollar) : sold(form, target);
	const slippage = slippageIn(form.slippage.text);
	return {target, dollar, amount, ...(slippage !== undefined && {slippage})};
}

/** Whether an amount was chosen or typed. */
export function hasAmount({preset, amount}: TradeForm): boolean {
	return preset !== undefined || amount.text.trim() !== '';
}

function spent({preset, amounts, amount}: TradeForm, dollar: TokenChoice): string {
	const text = preset === undefined ? amount.text.trim() : String(amounts[preset]);
	assertAmount(text, {...dollar, hasRaw: dollar.balanceRaw}, `on ${chainName(dollar.chainId)}`);
	return text;
}

function sold(form: TradeForm, target: TradeTarget): string {
	const {preset, amounts, held} = form;
	const hasRaw = held?.balanceRaw;
	if (held === undefined || hasRaw === undefined || hasRaw === 0n)
		throw new BadTrade('There is nothing to sell', `the wallet has none of it on ${chainName(target.chainId)}`);
	const text = form.amount.text.trim().toLowerCase();
	const percent = preset === undefined ? percentOf(text) : amounts[preset];
	if (percent !== undefined) {
		const raw = shareOf(hasRaw, percent);
		if (raw === 0n)
			throw new BadTrade('There is too little to sell', `${percent} % of what you hold is less than its smallest unit`);
		return formatUnits(raw, held.decimals);
	}
	assertAmount(text, {...held, hasRaw}, `on ${chainName(target.chainId)}`);
	return formatUnits(parseUnits(text, held.decimals), held.decimals);
}

/** `max` and `30%` as per cent. */
function percentOf(text: string): number | undefined {
	if (text === 'max') return 100;
	const [, digits] = /^(\d{1,3}(?:\.\d{1,2})?)\s*%$/.exec(text) ?? [];
	if (digits === undefined) return undefined;
	const percent = Number(digits);
	if (percent > 0 && percent <= 100) return percent;
	throw new BadTrade('This is no share of what you hold', 'write more than 0 and at most 100 %');
}

/** A share of raw units, rounded down; 100 % is exactly all of them. @param percent with two decimals at most */
export function shareOf(raw: bigint, percent: number): bigint {
	return percent === 100 ? raw : (raw * BigInt(Math.round(percent * 100))) / 10_000n;
}

function slippageIn(typed: string): number | undefined {
	const text = typed.trim().replace(/\s*%$/, '');
	if (text === '' || text.toLowerCase() === 'auto') return undefined;
	const percent = /^\d{1,2}(?:\.\d{1,2})?$/.test(text) ? Number(text) : Number.NaN;
	if (percent > 0 && percent <= MAX_SLIPPAGE) return percent;
	throw new BadTrade(
		'This slippage cannot be used',
		`write more than 0 and at most ${MAX_SLIPPAGE} %; empty is automatic`,
	);
}
