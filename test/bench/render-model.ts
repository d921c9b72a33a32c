import type {Row, Style} from '../../source/terminal/style.ts';
import {fitTo, padStart} from '../../source/text.ts';

/** Three panes of fifty tokens, as the monitor has them, with figures that move at random but the same way in each run. */
export const PANES = ['new', 'bonding', 'bonded'] as const;
export const ROWS = 50;
export const PANE_WIDTH = 66;

export interface Token {
	readonly symbol: string;
	readonly name: string;
	marketCap: number;
	volume: number;
	change: number;
	trades: number;
	version: number;
}

const NAMES = [
	'PEPE Coin',
	'Wojak Finance',
	'Moon 🌕 Shot',
	'猫のコイン',
	'Doge Killer',
	'Rug Pull Inu',
	'Élon Café',
	'Based Chad',
];
const PLAIN_TEXT: Style = {};
const NAME: Style = {color: '#8b949e'};
const UP: Style = {color: '#7ee787'};
const DOWN: Style = {color: '#ff7b72'};
const BOLD: Style = {bold: true};
const CURSOR: Style = {inverse: true};

export class Model {
	readonly panes: readonly Token[][];
	readonly changed = new Set<number>();
	cursor = 0;
	updates = 0;
	#seed = 42;

	constructor() {
		this.panes = PANES.map((_, pane) => Array.from({length: ROWS}, (__, row) => this.#token(pane * ROWS + row)));
	}

	/** Changes one token; which one is noted in `changed`, as pane * ROWS + row. */
	update(): void {
		const at = Math.floor(this.random() * PANES.length * ROWS);
		const token = this.panes[Math.floor(at / ROWS)]![at % ROWS]!;
		token.marketCap *= 0.98 + this.random() * 0.04;
		token.volume += this.random() * 500;
		token.change += this.random() * 4 - 2;
		token.trades++;
		token.version++;
		this.updates++;
		this.changed.add(at);
	}

	row(pane: number, row: number): Row {
		const token = this.panes[pane]![row]!;
		const isCursor = pane === 0 && row === this.cursor;
		return [
			{text: isCursor ? '>' : ' ', style: isCursor ? CURSOR : PLAIN_TEXT},
			{text: fixed(token.symbol, 7), style: isCursor ? CURSOR : BOLD},
			{text: fixed(token.name, 14), style: NAME},
			{text: padStart(short(token.marketCap), 8)},
			{text: padStart(short(token.volume), 8), style: NAME},
			{text: padStart(`${token.change.toFixed(1)}%`, 8), style: token.change < 0 ? DOWN : UP},
			{text: padStart(String(token.trades), 6)},
			{text: ` ${'█'.repeat(token.trades % 8).padEnd(8, '░')}`, style: UP},
		];
	}

	/** Numbers between 0 and 1, the same in each run (xorshift). */
	random(): number {
		this.#seed ^= this.#seed << 13;
		this.#seed ^= this.#seed >>> 17;
		this.#seed ^= this.#seed << 5;
		return (this.#seed >>> 0) / 0x100000000;
	}

	#token(index: number): Token {
		return {
			symbol: `TK${index}`,
			name: NAMES[index % NAMES.length]!,
			marketCap: 1000 + this.random() * 1_000_000,
			volume: this.random() * 100_000,
			change: this.random() * 40 - 20,
			trades: Math.floor(this.random() * 900),
			version: 0,
		};
	}
}

const fixedTexts = new Map<string, string>();

/** Names don't change from frame to frame, so both contenders are spared fitting them again. */
function fixed(text: string, cells: number): string {
	let known = fixedTexts.get(text);
	if (known === undefined) {
		known = fitTo(text, cells);
		fixedTexts.set(text, known);
	}
	return known;
}

function short(figure: number): string {
	return figure >= 1e6 ? `${(figure / 1e6).toFixed(2)}M` : `${(figure / 1e3).toFixed(1)}K`;
}
