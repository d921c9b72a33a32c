import type {ReactNode} from 'react';
import {chainName} from '../../chains/chains.ts';
import type {TradeTarget} from '../../contract/trade-target.ts';
import {clean} from '../../text.ts';
import {isEnd} from '../../trading/bridge/machine.ts';
import {slippageOf} from '../../trading/bridge/slippage.ts';
import {formatUnits} from '../../trading/decimal.ts';
import {readable} from '../../trading/trade/words.ts';
import {usd} from '../format.ts';
import {Fact} from '../live/fact.tsx';
import {Choice, Field, FieldLabel} from '../live/field.tsx';
import {Line, Text} from '../live/lines.tsx';
import {Paragraph} from '../live/paragraph.tsx';
import type {FormBodyProps, StatusFactsProps} from './money-part.ts';
import type {TradeForm, TradeWindow, WalletView} from './money-state.ts';
import {tokenTexts} from './token-texts.ts';
import {Deadline, TransferIds} from './transfer-facts.tsx';

/** The form of a trade. The token stands in the lines above it, in every step. */
export function TradeFormBody({window: {form}, wallet: {mode}}: FormBodyProps<TradeWindow>): ReactNode {
	const {target, dollars, field, amount, slippage, held} = form;
	const dollar = dollars[form.dollar];
	if (!target) return null;
	if (!dollar) return <Paragraph tone="warn" text={noDollarText(target, mode)} />;
	const isSale = target.side === 'sell';
	if (isSale && (held?.balanceRaw ?? 0n) === 0n) {
		const text = `This wallet has no ${symbolOf(target)} on ${chainName(target.chainId)}: there is nothing to sell.`;
		return <Paragraph tone="warn" text={text} />;
	}
	return (
		<>
			{isSale && <Held form={form} target={target} />}
			<Presets form={form} />
			{(field === 'amount' || amount.text !== '') && (
				<Field
					label={isSale ? 'tokens' : 'USD'}
					edit={amount}
					isActive={field === 'amount'}
					hint={isSale ? 'e.g. 1500, 30% or max' : 'e.g. 12.5'}
				/>
			)}
			<Choice label={isSale ? 'receive' : 'pay with'} texts={tokenTexts(dollar)} isActive={field === 'chain'} />
			<Field
				label="slippage"
				edit={slippage}
				isActive={field === 'slippage'}
				hint={`automatic: ${slippageOf({trade: target})} %`}
			/>
			<Line />
			<Paragraph tone="dim" text={keysText(form)} />
		</>
	);
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

/** The balance of the token, rounded down, and its value by the feed. */
function Held({form: {held}, target}: {readonly form: TradeForm; readonly target: TradeTarget}): ReactNode {
	if (held?.balanceRaw === undefined) return null;
	const amount = formatUnits(held.balanceRaw, held.decimals);
	const value =
		target.priceUSD === undefined
			? 'its price is not reported'
			: `about ${usd(Number(amount) * target.priceUSD)} by the feed`;
	return <Fact label=" you hold">{`${readable(amount)} ${symbolOf(target)}, ${value}`}</Fact>;
}

/** The amounts of the number keys, the chosen one marked. */
function Presets({form: {amounts, preset, target, field}}: {readonly form: TradeForm}): ReactNode {
	const isActive = field === 'presets';
	return (
		<Line>
			<FieldLabel label="amount" isActive={isActive} />
			{amounts.map((amount, at) => {
				const text = target?.side === 'sell' ? `${amount} %` : `$${amount}`;
				return [
					<Text key={amount} tone="key">{`${at + 1} `}</Text>,
					<Text key={`${amount} text`} tone={at === preset ? 'strong' : isActive ? 'text' : 'dim'}>
						{at === preset ? `[${text}]` : text}
					</Text>,
					'   ',
				];
			})}
		</Line>
	);
}

function keysText({field: active, amounts, dollars}: TradeForm): string {
	const numbers = amounts.length === 1 ? '1' : `1 to ${amounts.length}`;
	const chain = dollars.length > 1 ? ' a: another chain.' : '';
	if (active === 'amount' || active === 'slippage')
		return 'Type it, then Enter: get a quote; nothing is signed yet. Tab: next line.';
	return `${numbers}: this amount, and its quote at once; nothing is signed yet. $: type an amount.${chain} %: slippage.`;
}

/** The amount that left, its deadline, as far as this run requested it, and the ids to look it up. */
export function TradeFacts({window, nowMs}: StatusFactsProps<TradeWindow>): ReactNode {
	return (
		<>
			<Line />
			<Amounts window={window} nowMs={nowMs} />
			<TransferIds state={window.view.state} />
		</>
	);
}

function Amounts({window, nowMs}: StatusFactsProps<TradeWindow>): ReactNode {
	const {view} = window;
	const {target} = window.form;
	if (!view.quoted) return null;
	const {request, quote} = view.quoted;
	const isOver = isEnd(view.state);
	const isSale = target?.side === 'sell';
	const sent = `${formatUnits(request.amountRaw, request.decimals)} ${clean(request.symbol, {maxCells: 14})} on ${chainName(request.originChainId)}`;
	const symbol = target?.side === 'buy' ? symbolOf(target) : 'USDC';
	const expected = `about ${clean(quote.estimatedAmountOut, {maxCells: 48})} ${symbol} on ${chainName(request.destinationChainId)}`;
	return (
		<>
			<Fact label={isOver ? (isSale ? 'you sold' : 'you paid') : isSale ? 'you sell' : 'you pay'}>{sent}</Fact>
			{!isOver && <Fact label="expected">{expected}</Fact>}
			<Deadline view={view} nowMs={nowMs} />
		</>
	);
}
