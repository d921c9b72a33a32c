import {EventEmitter} from 'node:events';
import {Terminal} from '@xterm/headless';
import type {TerminalStream} from '../../../source/terminal/output.ts';
import {clusterWidth} from '../../../source/text.ts';

/** A cell as a person sees it. The second cell of a wide glyph has the width 0. */
export interface SeenCell {
	readonly text: string;
	readonly width: number;
	readonly look: string;
}

/** A terminal in memory, by @xterm/headless: a stdout to write to, and a screen to look at. */
export class Emulator extends EventEmitter implements TerminalStream {
	readonly isTTY = true;
	readonly writableLength = 0;
	readonly writes: string[] = [];
	readonly terminal: Terminal;

	/** @param widths 'ours' counts cells as source/text.ts does; 'old' as a terminal of 2010, which knows no emoji */
	constructor(columns: number, rows: number, widths: 'ours' | 'old' = 'ours') {
		super();
		this.terminal = new Terminal({cols: columns, rows, allowProposedApi: true, scrollback: 50});
		if (widths === 'ours') {
			this.terminal.unicode.register(clusterWidths());
			this.terminal.unicode.activeVersion = 'clusters';
		}
	}

	get columns(): number {
		return this.terminal.cols;
	}

	get rows(): number {
		return this.terminal.rows;
	}

	/** Everything that was written. */
	get bytes(): string {
		return this.writes.join('');
	}

	write(data: string, callback?: () => void): boolean {
		this.writes.push(data);
		this.terminal.write(data);
		if (callback !== undefined) setImmediate(callback);
		return true;
	}

	resize(columns: number, rows: number): void {
		this.terminal.resize(columns, rows);
		this.emit('resize');
	}

	/** Resolves when what was written has been read. */
	async settled(): Promise<void> {
		await new Promise<void>(resolve => {
			this.terminal.write('', resolve);
		});
	}

	/** The text of a row, without the blanks at its end. */
	line(y: number): string {
		return this.#line(y).translateToString(true);
	}

	/** The whole screen as text. */
	text(): string {
		return Array.from({length: this.rows}, (_, y) => this.line(y)).join('\n');
	}

	cells(y: number): readonly SeenCell[] {
		const line = this.#line(y);
		return Array.from({length: this.columns}, (_, x) => {
			const cell = line.getCell(x)!;
			const look = [
				`${cell.getFgColorMode()}:${cell.getFgColor()}`,
				`${cell.getBgColorMode()}:${cell.getBgColor()}`,
				cell.isBold() ? 'bold' : '',
				cell.isDim() ? 'dim' : '',
				cell.isItalic() ? 'italic' : '',
				cell.isUnderline() ? 'underline' : '',
				cell.isInverse() ? 'inverse' : '',
				cell.isStrikethrough() ? 'strikethrough' : '',
			].join(' ');
			// An erased cell and a blank are the same to the eye; what hangs over from a wide glyph has no text of its own.
			return {text: cell.getWidth() === 0 ? '' : cell.getChars() || ' ', width: cell.getWidth(), look};
		});
	}

	/** Every cell in words, row by row: equal pictures look equal. Looks are named once, until they change. */
	picture(): string {
		return Array.from({length: this.rows}, (_, y) => {
			let last = '';
			const parts = this.cells(y).map(({text, width, look}) => {
				const named = look === last ? '' : `<${look.trim()}>`;
				last = look;
				return named + (width === 0 ? '' : text);
			});
			return `${y}|${parts.join('')}|`;
		}).join('\n');
	}

	#line(y: number) {
		const {active} = this.terminal.buffer;
		return active.getLine(active.baseY + y)!;
	}
}

/** Has xterm put clusters into cells, as modern terminals do, with our widths. */
function clusterWidths() {
	const segmenter = new Intl.Segmenter(undefined, {granularity: 'grapheme'});
	const clusters = [''];
	const numbers = new Map<string, number>();
	const numberOf = (cluster: string): number => {
		const known = numbers.get(cluster);
		if (known !== undefined) return known;
		numbers.set(cluster, clusters.push(cluster) - 1);
		return clusters.length - 1;
	};
	// As xterm packs it: the state that the next call gets, the width, whether the character joins the cell before it.
	const pack = (cluster: string, joins: boolean): number =>
		(numberOf(cluster) << 3) | (Math.min(clusterWidth(cluster), 2) << 1) | (joins ? 1 : 0);
	return {
		version: 'clusters',
		wcwidth: (codePoint: number) => Math.min(clusterWidth(String.fromCodePoint(codePoint)), 2) as 0 | 1 | 2,
		charProperties: (codePoint: number, preceding: number) => {
			const character = String.fromCodePoint(codePoint);
			const before = clusters[preceding >> 3] ?? '';
			const together = before + character;
			const joins = before !== '' && [...segmenter.segment(together)].length === 1;
			return joins ? pack(together, true) : pack(character, false);
		},
	};
}
