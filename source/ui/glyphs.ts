/**
 * Every glyph that the screen draws besides text. All are one cell wide in every terminal (no emoji, nothing of ambiguous
 * width where it would matter), and each has an ASCII twin for `--ascii` and for terminals without UTF-8.
 */
export interface Glyphs {
	readonly up: string;
	readonly down: string;
	readonly live: string;
	readonly waiting: string;
	readonly broken: string;
	readonly paused: string;
	readonly frozen: string;
	readonly pin: string;
	readonly cursor: string;
	/** The token is held; a trade of it is under way. */
	readonly held: string;
	readonly underWay: string;
	readonly departed: string;
	/** Looks like a much larger or an established token. */
	readonly alike: string;
	/** Has the name, symbol or account of another token. */
	readonly namesake: string;
	readonly rule: string;
	readonly line: string;
	readonly barFull: string;
	readonly barEmpty: string;
	readonly unknown: string;
	readonly ellipsis: string;
	readonly arrow: string;
	readonly check: string;
	readonly cross: string;
	readonly dot: string;
	readonly more: string;
	readonly subscripts: string;
}

const UNICODE: Glyphs = {
	up: '▲',
	down: '▼',
	live: '●',
	waiting: '○',
	broken: '✗',
	paused: '‖',
	frozen: '■',
	pin: '★',
	cursor: '▌',
	held: '•',
	underWay: '◦',
	departed: '✗',
	alike: '≈',
	namesake: '~',
	rule: '│',
	line: '─',
	barFull: '━',
	barEmpty: '─',
	unknown: '–',
	ellipsis: '…',
	arrow: '→',
	check: '✓',
	cross: '✗',
	dot: '·',
	more: '↓',
	subscripts: '₀₁₂₃₄₅₆₇₈₉',
};

const ASCII: Glyphs = {
	up: '^',
	down: 'v',
	live: '*',
	waiting: 'o',
	broken: 'x',
	paused: '=',
	frozen: '#',
	pin: '*',
	cursor: '>',
	held: '@',
	underWay: ':',
	departed: 'x',
	alike: '&',
	namesake: '~',
	rule: '|',
	line: '-',
	barFull: '#',
	barEmpty: '.',
	unknown: '-',
	ellipsis: '.',
	arrow: '>',
	check: '+',
	cross: 'x',
	dot: '.',
	more: 'v',
	subscripts: '',
};

/** The glyphs of the screen. @param ascii those for terminals without UTF-8 */
export function glyphsFor(ascii: boolean): Glyphs {
	return ascii ? ASCII : UNICODE;
}

/** That more lines follow below: `↓ 30 more lines`. */
export function moreLines({more}: Pick<Glyphs, 'more'>, count: number): string {
	return `${more} ${count} more ${count === 1 ? 'line' : 'lines'}`;
}
