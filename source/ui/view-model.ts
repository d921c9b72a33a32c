import type {CandleSeries} from '../monitor/candles/candle-series.ts';
import type {MonitorState} from '../monitor/state.ts';
import type {Lookalikes} from '../monitor/tokens/lookalike.ts';
import type {ViewName} from '../monitor/views.ts';
import type {Span} from '../terminal/style.ts';
import {cellWidth, truncate} from '../text.ts';
import type {DrawnRows} from './columns/drawn-rows.ts';
import type {Display} from './display.ts';
import type {Layout} from './layout.ts';
import type {Tone} from './theme.ts';

/** The input of everything drawn on the screen, made once per state. */
export interface ViewModel extends Display {
	readonly state: MonitorState;
	readonly layout: Layout;
	/** The display: the same object until one of its parts changes. */
	readonly display: Display;
	/** The present, local Unix ms, where the state is of the past. */
	readonly liveMs: number;
	/** The columns below a money window: they do not move and have no colour. */
	readonly isStillLife: boolean;
	/** Candles of a token that is watched, by its key. */
	readonly candles?: (key: string) => CandleSeries | undefined;
	/** Prices of a token in the last minutes, oldest first; absent in REWIND. */
	readonly priceTrail?: (key: string) => readonly number[] | undefined;
	/** The tokens that those in the columns may be taken for. */
	readonly lookalikes: Lookalikes;
	/** The rows of the columns as they were drawn last. */
	readonly drawnRows: Map<ViewName, DrawnRows>;
	/** Every other token of several lines has a shade. */
	readonly hasShades: boolean;
}

/** A span in a tone of the theme. */
export function toned({theme}: Pick<ViewModel, 'theme'>, tone: Tone, text: string): Span {
	return {text, style: theme.tones[tone]};
}

/** Cells that spans take. */
export function spansWidth(spans: readonly Span[]): number {
	return spans.reduce((sum, span) => sum + cellWidth(span.text), 0);
}

/** The spans cut to `width` cells. */
export function cutSpans(spans: readonly Span[], width: number): Span[] {
	const kept: Span[] = [];
	let left = width;
	for (const span of spans) {
		if (left <= 0) break;
		const text = truncate(span.text, left);
		kept.push({...span, text});
		left -= cellWidth(text);
	}
	return kept;
}

/** `left` at the left, `right` at the right, blanks between; `left` gives way when both don't fit. */
export function spread(left: readonly Span[], right: readonly Span[], width: number): Span[] {
	const end = cutSpans(right, width);
	const endWidth = spansWidth(end);
	const start = cutSpans(left, Math.max(width - endWidth - 1, 0));
	const gap = Math.max(width - endWidth - spansWidth(start), 0);
	return [...start, {text: ' '.repeat(gap)}, ...end];
}
