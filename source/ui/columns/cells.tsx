import type {ReactNode} from 'react';
import {chainWord} from '../../chains/chain-words.ts';
import {rowFigure} from '../../monitor/columns/row-fields.ts';
import {fitTo, padStart, truncate} from '../../text.ts';
import {type CellId, changeWindow, isPriceField} from '../cell-specs.ts';
import {age, averageMark, brief, change, compact, price, progress, share} from '../format.ts';
import {Text, type TextProps, useDisplay} from '../live/lines.tsx';
import {drawSparkline} from '../sparkline.ts';
import {Mark} from './mark.tsx';
import {AuthorityLetters, RiskFigures, WorstRisk} from './risk-cells.tsx';
import type {CellProps} from './shown-token.ts';

interface FitProps extends Omit<TextProps, 'children'> {
	readonly width: number;
	readonly children: string;
}

/** Text at the left of `width` cells. */
function Left({width, children, ...look}: FitProps): ReactNode {
	return <Text {...look}>{fitTo(children, width)}</Text>;
}

/** Text at the right of `width` cells. */
function Right({width, children, ...look}: FitProps): ReactNode {
	return <Text {...look}>{padStart(truncate(children, width), width)}</Text>;
}

/** The symbol; struck through where the token left the column. */
function TokenSymbol({token, width}: CellProps): ReactNode {
	const {glyphs} = useDisplay();
	const hasLeft = token.departed !== undefined;
	return (
		<Left width={width} tone={hasLeft ? 'faint' : 'strong'} isStruck={hasLeft}>
			{token.entry.symbol ?? glyphs.unknown}
		</Left>
	);
}

function ChainTag({token, width}: CellProps): ReactNode {
	return (
		<Left width={width} tone="dim">
			{chainWord(token.entry.chain_id).slice(0, Math.max(width, 1))}
		</Left>
	);
}

/** The name, or how long ago the token bonded. */
function TokenName({token, width}: CellProps): ReactNode {
	const promotion = promotionText(token, width);
	return promotion === undefined ? (
		<Left width={width} tone="dim" isStruck={token.departed !== undefined}>
			{token.entry.name ?? ''}
		</Left>
	) : (
		<Left width={width} tone="good">
			{promotion}
		</Left>
	);
}

/**
 * How long ago a token bonded, in the place of its name: `bonded 12s ago`. Where that is too long the name stays, as the time
 * has a cell of its own; a service that does not report it gets `12s ago`.
 */
function promotionText({promoted, entry}: CellProps['token'], width: number): string | undefined {
	if (promoted === undefined) return undefined;
	const text = promoted === 'lately' ? 'just bonded' : `bonded ${promoted}s ago`;
	if (text.length <= width) return text;
	if (entry.bonded_at !== undefined) return undefined;
	return promoted === 'lately' ? 'bonded' : `${promoted}s ago`;
}

/** The time since the token bonded; unknown for one that was listed without a curve. */
function SinceBonded({token, width}: CellProps): ReactNode {
	const {glyphs} = useDisplay();
	return (
		<Right width={width} tone="dim">
			{token.sinceBonded ?? glyphs.unknown}
		</Right>
	);
}

function Age({token, width}: CellProps): ReactNode {
	return (
		<Right width={width} tone="dim">
			{token.age}
		</Right>
	);
}

/** The market cap, with a mark while it has just moved. */
function MarketCap({token, width}: CellProps): ReactNode {
	const {glyphs} = useDisplay();
	const {moved, entry} = token;
	const value = entry.market_cap;
	const glyph = moved ? glyphs[moved] : averageMark(entry) || ' ';
	return (
		<Right width={width} tone={value === undefined ? 'faint' : (moved ?? 'text')}>
			{glyph + compact(value, glyphs.unknown)}
		</Right>
	);
}

function PriceChange({token, width}: CellProps): ReactNode {
	const {glyphs} = useDisplay();
	const percent = token.entry[`price_change_${changeWindow(token.window)}`];
	const tone = percent === undefined || Math.abs(percent) < 0.05 ? 'faint' : percent > 0 ? 'up' : 'down';
	return (
		<Right width={width} tone={tone}>
			{change(percent, glyphs.unknown)}
		</Right>
	);
}

function Amount({value, width}: {readonly value: number | undefined; readonly width: number}): ReactNode {
	const {glyphs} = useDisplay();
	return (
		<Right width={width} tone={value === undefined ? 'faint' : 'text'}>
			{compact(value, glyphs.unknown)}
		</Right>
	);
}

function Volume({token, width}: CellProps): ReactNode {
	return <Amount value={token.entry[`volume_${token.window}`]} width={width} />;
}

function Liquidity({token, width}: CellProps): ReactNode {
	return <Amount value={token.entry.liquidity} width={width} />;
}

function HolderCount({token, width}: CellProps): ReactNode {
	return <Amount value={token.entry.holders_count} width={width} />;
}

function Fees({token, width}: CellProps): ReactNode {
	return <Amount value={token.entry.total_fees_paid_usd} width={width} />;
}

/** Buys and sells: `123/45`. */
function BuysAndSells({token, width}: CellProps): ReactNode {
	const {glyphs} = useDisplay();
	const {entry} = token;
	const [buys, sells] = [entry[`buys_${token.window}`], entry[`sells_${token.window}`]];
	if (buys === undefined && sells === undefined) {
		return (
			<Right width={width} tone="faint">
				{glyphs.unknown}
			</Right>
		);
	}
	const [b, s] = [brief(buys), brief(sells)];
	return (
		<>
			<Text>{' '.repeat(Math.max(width - b.length - s.length - 1, 0))}</Text>
			<Text tone="up">{b}</Text>
			<Text tone="faint">/</Text>
			<Text tone="down">{s}</Text>
		</>
	);
}

/** A bar of the bonding curve with its percentage in front: `43% ████░░░░`; `bonded 12m` where it was left. */
function BondingBar({token, width}: CellProps): ReactNode {
	const {glyphs} = useDisplay();
	const {bonded, bonding_percentage: percent} = token.entry;
	if (bonded === true) {
		return (
			<Left width={width} tone="good">
				{`bonded ${token.sinceBonded ?? ''}`}
			</Left>
		);
	}
	if (percent === undefined) {
		return (
			<Left width={width} tone="faint">
				{glyphs.unknown}
			</Left>
		);
	}
	const figure = padStart(progress(percent), 4);
	const length = width - figure.length - 1;
	// A service may say anything: a curve is never emptier than empty.
	const full = Math.max(Math.min(Math.round((percent / 100) * length), length), 0);
	const isHot = percent >= 90;
	return (
		<>
			<Text tone={isHot ? 'good' : 'text'}>{figure}</Text>
			<Text> </Text>
			<Text tone={isHot ? 'good' : 'barFull'}>{glyphs.barFull.repeat(full)}</Text>
			<Text tone="barEmpty">{glyphs.barEmpty.repeat(length - full)}</Text>
		</>
	);
}

/** The launchpad. */
function Source({token, width}: CellProps): ReactNode {
	const {glyphs} = useDisplay();
	const {source, type} = token.entry;
	return (
		<Left width={width} tone="dim">
			{source ?? type ?? glyphs.unknown}
		</Left>
	);
}

/** `xwt`: it has a Twitter account, a website, a Telegram group. */
function Socials({token}: CellProps): ReactNode {
	const {glyphs} = useDisplay();
	const {twitter, website, telegram} = token.entry;
	const flag = (letter: string, link: string | undefined): ReactNode =>
		link === undefined ? <Text tone="faint">{glyphs.dot}</Text> : <Text tone="accent">{letter}</Text>;
	return (
		<>
			{flag('x', twitter)}
			{flag('w', website)}
			{flag('t', telegram)}
		</>
	);
}

/** The price of the last minutes as a line, its present end included. */
function PriceTrail({token: {trail, entry}, width}: CellProps): ReactNode {
	const {glyphs} = useDisplay();
	const latest = entry.latest_price;
	if (trail === undefined) {
		return (
			<Left width={width} tone="faint">
				{glyphs.unknown}
			</Left>
		);
	}
	const prices = latest === undefined ? trail : [...trail, latest];
	const [line = ''] = drawSparkline(prices, width, 1, glyphs.subscripts === '');
	return <Text tone={prices.at(-1)! >= prices[0]! ? 'up' : 'down'}>{line}</Text>;
}

/** Any figure of the filter language: `buyers5m`, `top10`, `lasttrade`. */
function Figure({token, width, id}: CellProps): ReactNode {
	const {glyphs} = useDisplay();
	const figure = rowFigure(id);
	const value = figure && token.entry[figure.field];
	if (figure === undefined || value === undefined) {
		return (
			<Right width={width} tone="faint">
				{glyphs.unknown}
			</Right>
		);
	}
	const text =
		typeof value === 'number' ? figureText(figure, value, token.serviceMs, glyphs.subscripts) : wordOf(value);
	return (
		<Right width={width} tone="text">
			{text}
		</Right>
	);
}

function wordOf(value: unknown): string {
	return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

function figureText(
	{field, kind}: NonNullable<ReturnType<typeof rowFigure>>,
	value: number,
	serviceMs: number,
	subscripts: string,
): string {
	if (isPriceField(field)) return price(value, {subscripts});
	if (kind === 'date') return age(serviceMs - value);
	if (kind !== 'percent') return compact(value);
	return field.startsWith('price_change') ? change(value) : share(value);
}

const CELLS: Readonly<Record<CellId, (props: CellProps) => ReactNode>> = {
	mark: Mark,
	symbol: TokenSymbol,
	chain: ChainTag,
	name: TokenName,
	since: SinceBonded,
	age: Age,
	mcap: MarketCap,
	change: PriceChange,
	volume: Volume,
	liquidity: Liquidity,
	holders: HolderCount,
	trades: BuysAndSells,
	bar: BondingBar,
	risk: WorstRisk,
	risks: RiskFigures,
	authority: AuthorityLetters,
	source: Source,
	socials: Socials,
	fees: Fees,
	trail: PriceTrail,
};

/** The component of a cell. */
export function cellOf(id: string): (props: CellProps) => ReactNode {
	return CELLS[id as CellId] ?? Figure;
}
