import type {Entry} from '../../contract/entry.ts';
import {type FieldName, fieldOf, type TextFieldName} from '../../contract/fields.ts';
import type {Column, Row} from '../columns/column.ts';
import {rowFigure} from '../columns/row-fields.ts';
import {headOf} from '../select.ts';
import type {MonitorState} from '../state.ts';
import {RISK_FIELDS} from '../tokens/risk.ts';
import {byView, type ViewName} from '../views.ts';
import type {Moment} from './moment.ts';

/**
 * A moment that keeps only what rows show: figures as bare numbers, and texts shared with the moments before. Its columns
 * are built when they are read.
 */
export class PackedMoment implements Moment {
	readonly atMs: number;
	readonly skewMs: number;
	readonly packed: Readonly<Record<ViewName, PackedColumn>>;

	/** @param before the moment before, whose unchanged texts are shared */
	constructor(atMs: number, skewMs: number, columns: MonitorState['columns'], before: PackedMoment | undefined) {
		this.atMs = atMs;
		this.skewMs = skewMs;
		this.packed = byView(view => packColumn(headOf(columns[view]), before?.packed[view].tokens));
	}

	/** The price of a token in US dollars, without building the columns; undefined where none of them had it. */
	priceOf(key: string): number | undefined {
		for (const {tokens, numbers} of Object.values(this.packed)) {
			const at = tokens.findIndex(token => token.key === key && token.departed === undefined);
			if (at < 0) continue;
			const price = numbers[at * (numbers.length / tokens.length) + OWN_LANES]!;
			if (!Number.isNaN(price)) return price;
		}
		return undefined;
	}

	get columns(): MonitorState['columns'] {
		return byView(view => unpackColumn(this.packed[view]));
	}
}

/** A column whose rows lie in one array of numbers. */
interface PackedColumn {
	readonly column: Omit<Column, 'rows'>;
	readonly tokens: readonly PackedToken[];
	/** LANES for each token, in the order of `tokens`; NaN is unknown. */
	readonly numbers: Float64Array;
}

/** The texts of a row, shared by all moments in which they are the same. */
interface PackedToken {
	readonly key: string;
	readonly texts: readonly (string | undefined)[];
	readonly departed: Row['departed'];
}

/** @param before the tokens of the column in the moment before */
function packColumn({rows, ...column}: Column, before: readonly PackedToken[] = []): PackedColumn {
	const former = new Map(before.map(token => [token.key, token]));
	const tokens: PackedToken[] = [];
	const ownKeys = new Map<string, string>();
	const figures = figuresIn(column);
	const lanes = OWN_LANES + figures.length;
	const numbers = new Float64Array(rows.size * lanes);
	let at = 0;
	for (const row of rows.values()) {
		const {entry, departed, move, enteredAtMs} = row;
		const texts = TEXTS.map(name => entry[name]);
		const known = former.get(entry.key);
		const isSame = known?.departed === departed && known?.texts.every((text, i) => text === texts[i]);
		const token = known && isSame ? known : {key: known?.key ?? entry.key, texts, departed};
		tokens.push(token);
		ownKeys.set(token.key, token.key);
		numbers[at++] = enteredAtMs;
		numbers[at++] = move?.atMs ?? Number.NaN;
		numbers[at++] = move?.up ? 1 : 0;
		for (const name of figures) numbers[at++] = Number(entry[name] ?? Number.NaN);
	}
	// Equal keys are different strings in memory: one of them is kept.
	const order = column.order.map(key => ownKeys.get(key) ?? key);
	return {column: {...column, order}, tokens, numbers};
}

function unpackColumn({column, tokens, numbers}: PackedColumn): Column {
	const rows = new Map<string, Row>();
	const figures = figuresIn(column);
	let at = 0;
	for (const {key, texts, departed} of tokens) {
		const [enteredAtMs, moveAtMs, isUp] = numbers.subarray(at);
		at += OWN_LANES;
		const entry: Record<string, unknown> = {key};
		for (const [i, name] of TEXTS.entries()) if (texts[i] !== undefined) entry[name] = texts[i];
		for (const name of figures) {
			const figure = numbers[at++]!;
			if (!Number.isNaN(figure)) entry[name] = fieldOf(name).kind === 'boolean' ? figure === 1 : figure;
		}
		rows.set(key, {
			entry: entry as unknown as Entry,
			enteredAtMs: enteredAtMs!,
			...(Number.isNaN(moveAtMs) ? {} : {move: {up: isUp === 1, atMs: moveAtMs!}}),
			...(departed && {departed}),
		});
	}
	return {...column, rows};
}

// What rows, their risk marks and their warnings show.
const TEXTS = [
	'chain_id',
	'address',
	'symbol',
	'name',
	'source',
	'type',
	'twitter',
	'website',
	'telegram',
	'deployer',
] as const satisfies readonly TextFieldName[];
const FIGURES = [
	// First: `priceOf` reads it.
	'latest_price',
	'created_at',
	'bonded_at',
	'market_cap',
	'liquidity',
	'holders_count',
	'bonding_percentage',
	'bonded',
	'twitter_reuses_count',
	'total_fees_paid_usd',
	...Object.values(RISK_FIELDS),
] as const;
/** Fields whose values are numbers, dates or booleans. */
type FigureName = Exclude<FieldName, TextFieldName>;
/** The numbers before the figures of a row: when it entered the column, when its price moved, whether up. */
const OWN_LANES = 3;

/** The API has no change over 15 minutes: rows show that over 5. */
function figuresIn({window, fields}: Pick<Column, 'window' | 'fields'>): readonly FigureName[] {
	const change = window === '15min' ? '5min' : window;
	const windowed = [`price_change_${change}`, `volume_${window}`, `buys_${window}`, `sells_${window}`] as const;
	const chosen = fields.flatMap(name => (rowFigure(name)?.field as FigureName | undefined) ?? []);
	return [...new Set([...FIGURES, ...windowed, ...chosen])];
}
