import {isDeepStrictEqual} from 'node:util';
import type {Entry} from '../../contract/entry.ts';
import {type FieldName, fieldOf, type TextFieldName} from '../../contract/fields.ts';
import {keptByText} from '../../kept-by-text.ts';
import type {Column, Row} from '../columns/column.ts';
import {rowFigure} from '../columns/row-fields.ts';
import {headOf} from '../select.ts';
import type {MonitorState} from '../state.ts';
import {RISK_FIELDS} from '../tokens/risk.ts';
import {byView, type ViewName} from '../views.ts';
import type {Moment} from './moment.ts';

/**
 * A moment that keeps only the content of rows: bare figures, and texts shared with the moments before. An entry and its row are packed
 * once for all screens of the process. The columns of a moment are built when they are read.
 */
export class PackedMoment implements Moment {
	readonly atMs: number;
	readonly skewMs: number;
	readonly packed: Readonly<Record<ViewName, PackedColumn>>;

	/** @param before the moment before, whose rows and texts that stayed the same are shared */
	constructor(atMs: number, skewMs: number, columns: MonitorState['columns'], before: PackedMoment | undefined) {
		this.atMs = atMs;
		this.skewMs = skewMs;
		this.packed = byView(view => packColumn(headOf(columns[view]), before?.packed[view].rows));
	}

	/** The price of a token in US dollars, without building the columns; undefined where none of them had it. */
	priceOf(key: string): number | undefined {
		for (const {rows} of Object.values(this.packed)) {
			const price = rows.find(({entry, departed}) => entry.key === key && departed === undefined)?.entry.figures[0];
			if (price !== undefined && !Number.isNaN(price)) return price;
		}
		return undefined;
	}

	get columns(): MonitorState['columns'] {
		return byView(view => unpackColumn(this.packed[view]));
	}
}

interface PackedColumn {
	readonly column: Omit<Column, 'rows'>;
	readonly rows: readonly PackedRow[];
}

/** A row with less of its entry. */
interface PackedRow extends Omit<Row, 'entry'> {
	readonly entry: PackedEntry;
}

/** The parts of an entry that rows show: texts, figures (NaN is unknown), and members that are no fields. */
interface PackedEntry extends Pick<Entry, 'security' | 'priceIsAverage'> {
	readonly key: string;
	readonly texts: readonly (string | undefined)[];
	readonly names: readonly FigureName[];
	readonly figures: readonly number[];
}

/** The last packing of each entry: screens share entries, and mostly show the same fields. */
const packings = new WeakMap<Entry, PackedEntry>();

/** @param before the rows of the column in the moment before */
function packColumn({rows, ...column}: Column, before: readonly PackedRow[] = []): PackedColumn {
	const former = new Map(before.map(row => [row.entry.key, row]));
	const names = figuresIn(column);
	const packed: PackedRow[] = [];
	const ownKeys = new Map<string, string>();
	for (const row of rows.values()) {
		const known = former.get(row.entry.key);
		const entry = packEntry(row.entry, names, known?.entry);
		ownKeys.set(entry.key, entry.key);
		packed.push(packRow(row, entry));
	}
	// Equal keys are different strings in memory: one of them is kept.
	const order = column.order.map(key => ownKeys.get(key) ?? key);
	return {column: {...column, order}, rows: packed};
}

/** The last row of each packed entry. */
const packedRows = new WeakMap<PackedEntry, PackedRow>();
/** Screens receive a move at different times, less than this apart. */
const SAME_MOVE_MS = 1000;

function packRow({move, departed}: Row, entry: PackedEntry): PackedRow {
	const known = packedRows.get(entry);
	if (known !== undefined && known.departed === departed && isSameMove(known.move, move)) return known;
	const packed = {entry, ...(move && {move}), ...(departed && {departed})};
	packedRows.set(entry, packed);
	return packed;
}

function isSameMove(a: Row['move'], b: Row['move']): boolean {
	if (a === undefined || b === undefined) return a === b;
	return a.up === b.up && Math.abs(a.atMs - b.atMs) < SAME_MOVE_MS;
}

/** @param before the same token in the moment before */
function packEntry(entry: Entry, names: readonly FigureName[], before: PackedEntry | undefined): PackedEntry {
	const known = packings.get(entry);
	if (known?.names === names) return known;
	const texts = TEXTS.map(name => entry[name]);
	const {security, priceIsAverage} = entry;
	const packed = {
		...(priceIsAverage && {priceIsAverage}),
		...(security && {security: isDeepStrictEqual(before?.security, security) ? before!.security! : security}),
		key: before?.key ?? entry.key,
		texts: before?.texts.every((text, i) => text === texts[i]) ? before.texts : texts,
		names,
		figures: names.map(name => Number(entry[name] ?? Number.NaN)),
	};
	packings.set(entry, packed);
	return packed;
}

function unpackColumn({column, rows}: PackedColumn): Column {
	return {...column, rows: new Map(rows.map(row => [row.entry.key, {...row, entry: unpackEntry(row.entry)}]))};
}

function unpackEntry({texts, names, figures, ...rest}: PackedEntry): Entry {
	const entry: Record<string, unknown> = {...rest};
	for (const [i, name] of TEXTS.entries()) if (texts[i] !== undefined) entry[name] = texts[i];
	for (const [i, name] of names.entries()) {
		const figure = figures[i]!;
		if (!Number.isNaN(figure)) entry[name] = fieldOf(name).kind === 'boolean' ? figure === 1 : figure;
	}
	return entry as unknown as Entry;
}

// The content of rows, of their risk marks and of their warnings.
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

/** The figures that rows of a column show: the same array for equal settings. */
function figuresIn({window, fields}: Pick<Column, 'window' | 'fields'>): readonly FigureName[] {
	return figuresBy([window, ...fields].join());
}

const figuresBy = keptByText((settings: string): readonly FigureName[] => {
	const [window, ...fields] = settings.split(',') as [Column['window'], ...string[]];
	// The API has no change over 15 minutes: rows show that over 5.
	const change = window === '15min' ? '5min' : window;
	const windowed = [`price_change_${change}`, `volume_${window}`, `buys_${window}`, `sells_${window}`] as const;
	const chosen = fields.flatMap(name => (rowFigure(name)?.field as FigureName | undefined) ?? []);
	return [...new Set([...FIGURES, ...windowed, ...chosen])];
});
