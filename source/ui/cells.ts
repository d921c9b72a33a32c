import {CHAINS, findChain} from '../chains/chains.ts';
import type {Entry} from '../contract/entry.ts';
import type {Window7, Window8} from '../contract/windows.ts';
import type {Row as TokenRow} from '../monitor/columns/column.ts';
import {type RowCell, rowFigure} from '../monitor/columns/row-fields.ts';
import type {Lookalike} from '../monitor/tokens/lookalike.ts';
import {RISK_FIELDS, RISKS, type RiskThresholds, riskOf, worstRisk} from '../monitor/tokens/risk.ts';
import type {Span, Style} from '../terminal/style.ts';
import {fitTo, padStart, truncate} from '../text.ts';
import {age, averageMark, brief, change, compact, price, progress, share} from './format.ts';
import type {Glyphs} from './glyphs.ts';
import type {Theme, Tone} from './theme.ts';

/** What cells need besides the token. */
export interface CellContext {
	readonly theme: Theme;
	readonly glyphs: Glyphs;
	readonly nowMs: number;
	/** The service's time minus local time, ms: ages count from the service's clock. */
	readonly skewMs: number;
	readonly thresholds: RiskThresholds;
	/** The window of volume, counts and change. */
	readonly window: Window8;
	readonly isPinned: boolean;
	/** Some of it is held, or a trade of it is under way. */
	readonly holding?: 'held' | 'underWay';
	readonly isSelected: boolean;
	/** A lower line of the row: the mark stands in the first. */
	readonly hasNoMark?: boolean;
	/** How closely the token looks like another one, where it does. */
	readonly alike?: Exclude<Lookalike['level'], 'info'>;
	/** The token bonded lately: seconds since then; without seconds where nothing on screen may move. */
	readonly promotion?: {readonly ageS?: number};
	/** No marks of change that come and go. */
	readonly isStill?: boolean;
}

/** One cell of a token's row. Pure: an entry in, spans of exactly `width` cells out. */
export interface Cell {
	/** A cell of the program, or the word of a figure. */
	readonly id: CellId | (string & {});
	/** The heading above the cell. @param width cells of the cell */
	header(window: Window8, width: number): string;
	/** Cells on screen; the flexible ones have a least and a most. */
	readonly width: number;
	readonly maxWidth?: number;
	readonly align: 'left' | 'right';
	paint(row: TokenRow, context: CellContext, width: number): readonly Span[];
}

export type CellId = 'mark' | 'symbol' | RowCell;

const right = (text: string, width: number, style?: Style): readonly Span[] => [
	{text: padStart(truncate(text, width), width), ...(style && {style})},
];
const left = (text: string, width: number, style?: Style): readonly Span[] => [
	{text: fitTo(text, width), ...(style && {style})},
];

/** Change over a window; the API has none for 15 minutes, the next shorter one stands in. */
export function changeWindow(window: Window8): Window7 {
	return window === '15min' ? '5min' : window;
}

/** `5min` => `5m`: as the filter line writes it. */
export function shortWindow(window: Window8): string {
	return window.replace('min', 'm');
}

const RISK_TONES: Readonly<Record<ReturnType<typeof riskOf>, Tone>> = {
	unknown: 'faint',
	ok: 'faint',
	warn: 'warn',
	bad: 'bad',
};

const RISK_WORDS = {dev: 'dev', top10: 'top', snipers: 'sni', insiders: 'ins', bundlers: 'bun'} as const;
const AUTHORITY_WORDS = {mint: 'mint!', freeze: 'frz!'} as const;

/** The worst risk with its figure: `bun 27!`, `top 31+`, `mint!`; a dot where all is well, `?` where something is not reported. */
function worstRiskCell({entry}: TokenRow, {theme, glyphs, thresholds}: CellContext, width: number): readonly Span[] {
	const worst = worstRisk(entry, thresholds, authorities(entry));
	const style = theme.tones[RISK_TONES[worst.level]];
	if (!('what' in worst)) return left(worst.level === 'ok' ? glyphs.dot : '?', width, style);
	if (!('percent' in worst)) return left(AUTHORITY_WORDS[worst.what], width, style);
	const word = RISK_WORDS[worst.what];
	const figure = `${Math.min(Math.round(worst.percent), 100)}${worst.level === 'bad' ? '!' : '+'}`;
	// A narrow column has no blank, and of a word only what its figure leaves.
	const gap = word.length + 1 + figure.length <= width ? ' ' : '';
	return left(`${word.slice(0, width - figure.length)}${gap}${figure}`, width, style);
}

/** Heads of the risk figures, in the order of RISKS: each stands above four cells. */
const RISK_HEADS = {dev: 'DEV', top10: 'TOP', snipers: 'SNI', insiders: 'INS', bundlers: 'BUN'} as const;

/** ` 3   31+  0   0  27!`: rounded percentages of the supply, `+` behind a warning, `!` behind what is bad. */
function riskFigures(row: TokenRow, {theme, thresholds}: CellContext): readonly Span[] {
	return RISKS.map(risk => {
		const level = riskOf(row.entry, risk, thresholds);
		const percent = row.entry[RISK_FIELDS[risk]];
		const figure = percent === undefined || percent < 0 ? '?' : String(Math.min(Math.round(percent), 100));
		const mark = level === 'bad' ? '!' : level === 'warn' ? '+' : ' ';
		return {text: padStart(figure, 3) + mark, style: theme.tones[RISK_TONES[level]]};
	});
}

/** Who can make more of a token, and who can stop its transfers; undefined where the service does not say. */
function authorities({security}: Pick<Entry, 'security'>): {
	readonly mint: boolean | undefined;
	readonly freeze: boolean | undefined;
} {
	const {isMintable, noMintAuthority, transferPausable, balanceMutable} = security ?? {};
	return {
		mint: isMintable ?? (noMintAuthority == null ? undefined : !noMintAuthority),
		freeze: transferPausable || balanceMutable || (transferPausable ?? balanceMutable ?? undefined),
	};
}

/** `MF`: more can be minted, transfers can be frozen; a dot where not, `?` where it is not reported. */
function authorityLetters({entry}: TokenRow, {theme, glyphs}: CellContext): readonly Span[] {
	const {mint, freeze} = authorities(entry);
	const letter = (has: boolean | undefined, glyph: string): Span => ({
		text: has === undefined ? '?' : has ? glyph : glyphs.dot,
		style: theme.tones[has ? 'bad' : 'faint'],
	});
	return [letter(mint, 'M'), letter(freeze, 'F')];
}

/** A bar of the bonding curve with its percentage in front: `43% ████░░░░`; `bonded 12m` where it was left. */
function bondingBar({entry}: TokenRow, {theme, glyphs, nowMs, skewMs}: CellContext, width: number): readonly Span[] {
	if (entry.bonded === true) return left(`bonded ${sinceBonding(entry, nowMs, skewMs, '')}`, width, theme.tones.good);
	const percent = entry.bonding_percentage;
	if (percent === undefined) return left(glyphs.unknown, width, theme.tones.faint);
	const figure = padStart(progress(percent), 4);
	const length = width - figure.length - 1;
	// A service may say anything: a curve is never emptier than empty.
	const full = Math.max(Math.min(Math.round((percent / 100) * length), length), 0);
	const hot = percent >= 90 ? theme.tones.good : theme.tones.barFull;
	return [
		{text: figure, style: percent >= 90 ? theme.tones.good : theme.tones.text},
		{text: ' '},
		{text: glyphs.barFull.repeat(full), style: hot},
		{text: glyphs.barEmpty.repeat(length - full), style: theme.tones.barEmpty},
	];
}

/** Buys and sells: `123/45`, the larger side in its colour. */
function buysAndSells({entry}: TokenRow, {theme, glyphs, window}: CellContext, width: number): readonly Span[] {
	const [buys, sells] = [entry[`buys_${window}`], entry[`sells_${window}`]];
	if (buys === undefined && sells === undefined) return right(glyphs.unknown, width, theme.tones.faint);
	const [b, s] = [brief(buys), brief(sells)];
	const pad = Math.max(width - b.length - s.length - 1, 0);
	return [
		{text: ' '.repeat(pad)},
		{text: b, style: theme.tones.up},
		{text: '/', style: theme.tones.faint},
		{text: s, style: theme.tones.down},
	];
}

/** The last move of a token while it is marked; never where nothing comes and goes. */
export function recentMove(
	{move, entry}: TokenRow,
	{nowMs, isStill}: Pick<CellContext, 'nowMs' | 'isStill'>,
): TokenRow['move'] {
	return !isStill && move && entry.market_cap !== undefined && nowMs - move.atMs < 2000 ? move : undefined;
}

/** A token's age as its cell shows it. */
export function shownAge({created_at: createdMs}: Entry, nowMs: number, skewMs: number, unknown?: string): string {
	return age(createdMs === undefined ? undefined : nowMs + skewMs - createdMs, unknown);
}

/** The time since a token bonded as its cell shows it; unknown for one that was listed without a curve. */
export function sinceBonding({bonded_at: bondedMs}: Entry, nowMs: number, skewMs: number, unknown?: string): string {
	return age(bondedMs === undefined ? undefined : nowMs + skewMs - bondedMs, unknown);
}

function marketCap(row: TokenRow, context: CellContext, width: number): readonly Span[] {
	const {theme, glyphs} = context;
	const recent = recentMove(row, context);
	const glyph = recent ? (recent.up ? glyphs.up : glyphs.down) : averageMark(row.entry) || ' ';
	const tone = recent ? (recent.up ? theme.tones.up : theme.tones.down) : theme.tones.text;
	const value = row.entry.market_cap;
	return right(glyph + compact(value, glyphs.unknown), width, value === undefined ? theme.tones.faint : tone);
}

/** The stage that the symbol's colour shows, as do its column and its bar. */
function stageTone(row: TokenRow): Tone {
	return row.departed ? 'faint' : 'strong';
}

/** At most one mark: the most important one. */
function mark(
	row: TokenRow,
	{theme, glyphs, isPinned, isSelected, hasNoMark, alike, promotion, holding}: CellContext,
): readonly Span[] {
	const cursor = {text: isSelected ? glyphs.cursor : ' ', style: theme.tones.accent};
	if (hasNoMark) return [cursor, {text: ' '}];
	if (row.departed) return [cursor, {text: glyphs.departed, style: theme.tones.faint}];
	if (alike === 'bad') return [cursor, {text: '!', style: theme.tones.bad}];
	if (holding) return [cursor, {text: holding === 'held' ? glyphs.held : glyphs.underWay, style: theme.tones.accent}];
	if (isPinned) return [cursor, {text: glyphs.pin, style: theme.tones.warn}];
	if (promotion) return [cursor, {text: glyphs.arrow, style: theme.tones.good}];
	if (alike === 'warn') return [cursor, {text: glyphs.alike, style: theme.tones.warn}];
	if (alike) return [cursor, {text: glyphs.namesake, style: theme.tones.faint}];
	return [cursor, {text: ' '}];
}

/**
 * How long ago a token bonded, in the place of its name: `bonded 12s ago`. Where that is too long the name stays, as the time
 * has a cell of its own; a service that does not report it gets `12s ago`.
 */
function promotionText(
	{entry}: TokenRow,
	{ageS}: NonNullable<CellContext['promotion']>,
	width: number,
): string | undefined {
	const text = ageS === undefined ? 'just bonded' : `bonded ${ageS}s ago`;
	if (text.length <= width) return text;
	if (entry.bonded_at !== undefined) return undefined;
	return ageS === undefined ? 'bonded' : `${ageS}s ago`;
}

/** The name of a chain for people: `Solana`; undefined where it is not known. */
export function chainTitle(chainId: string): string | undefined {
	return findChain(chainId)?.name;
}

/** What the tags of the known chains stand for: `SOL Solana, ETH Ethereum`. */
export function chainLegend(): string {
	return CHAINS.map(({short, name}) => `${short} ${name}`).join(', ');
}

/** A chain in a number of letters at most, four as a rule. */
function chainTag(chainId: string, width: number): string {
	return chainWord(chainId).slice(0, Math.max(width, 1));
}

/** A chain in at most four letters. */
export function chainWord(chainId: string): string {
	return (
		findChain(chainId)?.short ??
		chainId
			.slice(chainId.indexOf(':') + 1)
			.toUpperCase()
			.slice(0, 4)
	);
}

function socials({entry}: TokenRow, {theme, glyphs}: CellContext): readonly Span[] {
	const flags = [
		['x', entry.twitter],
		['w', entry.website],
		['t', entry.telegram],
	] as const;
	return flags.map(([letter, link]) => ({
		text: link === undefined ? glyphs.dot : letter,
		style: link === undefined ? theme.tones.faint : theme.tones.accent,
	}));
}

const RISKS_HEADING = RISKS.map(risk => `${RISK_HEADS[risk]} `).join('');

/** Every cell, in the order in which they stand on screen. */
export const CELLS: readonly (Cell & {readonly id: CellId})[] = [
	{id: 'mark', header: () => '', width: 2, align: 'left', paint: mark},
	{
		id: 'symbol',
		header: () => 'SYMBOL',
		width: 7,
		maxWidth: 12,
		align: 'left',
		paint: (row, {theme, glyphs}, width) =>
			left(row.entry.symbol ?? glyphs.unknown, width, dimmedIfDeparted(row, theme.tones[stageTone(row)])),
	},
	{
		id: 'chain',
		header: (_, width) => (width < 5 ? 'CHN' : 'CHAIN'),
		width: 3,
		maxWidth: 5,
		align: 'left',
		paint: ({entry}, {theme}, width) => left(chainTag(entry.chain_id, width), width, theme.tones.dim),
	},
	{
		id: 'name',
		header: () => 'NAME',
		width: 8,
		maxWidth: 40,
		align: 'left',
		paint: (row, {theme, promotion}, width) => {
			const text = promotion && promotionText(row, promotion, width);
			return text === undefined
				? left(row.entry.name ?? '', width, dimmedIfDeparted(row, theme.tones.dim))
				: left(text, width, theme.tones.good);
		},
	},
	{
		id: 'since',
		header: (_, width) => (width < 6 ? 'BOND' : 'BONDED'),
		width: 4,
		maxWidth: 6,
		align: 'right',
		paint: ({entry}, {theme, glyphs, nowMs, skewMs}, width) =>
			right(sinceBonding(entry, nowMs, skewMs, glyphs.unknown), width, theme.tones.dim),
	},
	{
		id: 'age',
		header: () => 'AGE',
		width: 4,
		align: 'right',
		paint: ({entry}, {theme, glyphs, nowMs, skewMs}, width) =>
			right(shownAge(entry, nowMs, skewMs, glyphs.unknown), width, theme.tones.dim),
	},
	{id: 'mcap', header: () => 'MCAP', width: 6, align: 'right', paint: marketCap},
	{
		id: 'change',
		header: window => {
			const name = shortWindow(changeWindow(window));
			return name.length > 2 ? `CHG${name}` : `CHG ${name}`;
		},
		width: 6,
		align: 'right',
		paint: ({entry}, {theme, glyphs, window}, width) => {
			const percent = entry[`price_change_${changeWindow(window)}`];
			const tone = percent === undefined || Math.abs(percent) < 0.05 ? 'faint' : percent > 0 ? 'up' : 'down';
			return right(change(percent, glyphs.unknown), width, theme.tones[tone]);
		},
	},
	{
		id: 'volume',
		header: window => `VOL${shortWindow(window)}`,
		width: 6,
		align: 'right',
		paint: ({entry}, {theme, glyphs, window}, width) => figure(entry[`volume_${window}`], width, theme, glyphs),
	},
	{
		id: 'liquidity',
		header: () => 'LIQ',
		width: 5,
		align: 'right',
		paint: ({entry}, {theme, glyphs}, width) => figure(entry.liquidity, width, theme, glyphs),
	},
	{
		id: 'holders',
		header: () => 'HOLD',
		width: 5,
		align: 'right',
		paint: ({entry}, {theme, glyphs}, width) => figure(entry.holders_count, width, theme, glyphs),
	},
	{id: 'trades', header: window => `B/S ${shortWindow(window)}`, width: 9, align: 'right', paint: buysAndSells},
	{id: 'bar', header: () => 'BONDING', width: 10, align: 'left', paint: bondingBar},
	{id: 'risk', header: () => 'RISK', width: 6, maxWidth: 7, align: 'left', paint: worstRiskCell},
	{id: 'risks', header: () => RISKS_HEADING, width: RISKS_HEADING.length, align: 'left', paint: riskFigures},
	{id: 'authority', header: () => 'MF', width: 2, align: 'left', paint: authorityLetters},
	{
		id: 'source',
		header: () => 'SOURCE',
		width: 9,
		maxWidth: 17,
		align: 'left',
		paint: ({entry}, {theme, glyphs}, width) =>
			left(entry.source ?? entry.type ?? glyphs.unknown, width, theme.tones.dim),
	},
	{id: 'socials', header: () => 'SOC', width: 3, align: 'left', paint: socials},
	{
		id: 'fees',
		header: () => 'FEES',
		width: 5,
		align: 'right',
		paint: ({entry}, {theme, glyphs}, width) => figure(entry.total_fees_paid_usd, width, theme, glyphs),
	},
];

/** Cells of figures, by their word: each is made once. */
const figureCells = new Map<string, Cell>();
/** Cells that a figure, and a heading over it, have. */
const FIGURE_WIDTH = 6;
const HEADING_WIDTH = 9;
const PRICE_WIDTH = 10;

/** The cell of any figure of the filter language: `buyers5m`, `top10`, `lasttrade`. */
export function figureCell(name: string): Cell | undefined {
	const known = figureCells.get(name);
	const word = known ? undefined : rowFigure(name);
	if (!word) return known;
	const {field, kind} = word;
	const heading = name.toUpperCase();
	const isPrice = /^(latest_price|price_\w+_ago|ath|atl)$/.test(field);
	const cell: Cell = {
		id: name,
		header: () => heading,
		width: Math.max(isPrice ? PRICE_WIDTH : FIGURE_WIDTH, Math.min(heading.length, HEADING_WIDTH)),
		align: 'right',
		paint({entry}, {theme, glyphs, nowMs, skewMs}, width) {
			const value = entry[field];
			if (value === undefined) return right(glyphs.unknown, width, theme.tones.faint);
			if (typeof value === 'boolean') return right(value ? 'yes' : 'no', width, theme.tones.text);
			if (typeof value !== 'number') return right(String(value), width, theme.tones.text);
			return right(figureText(value), width, theme.tones.text);

			function figureText(figure: number): string {
				if (isPrice) return price(figure, {subscripts: glyphs.subscripts});
				if (kind === 'date') return age(nowMs + skewMs - figure);
				if (kind !== 'percent') return compact(figure);
				return field.startsWith('price_change') ? change(figure) : share(figure);
			}
		},
	};
	figureCells.set(name, cell);
	return cell;
}

function figure(value: number | undefined, width: number, theme: Theme, glyphs: Glyphs): readonly Span[] {
	return right(compact(value, glyphs.unknown), width, value === undefined ? theme.tones.faint : theme.tones.text);
}

/** A row that left the view is struck through: it stays only because no row may move under the cursor. */
function dimmedIfDeparted(row: TokenRow, style: Style): Style {
	if (!row.departed) return style;
	const struck = strikes.get(style) ?? {...style, strikethrough: true};
	strikes.set(style, struck);
	return struck;
}
const strikes = new WeakMap<Style, Style>();
