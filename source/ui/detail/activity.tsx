import type {ReactNode} from 'react';
import type {FieldName} from '../../contract/fields.ts';
import {WINDOW_MS, WINDOWS_8, type Window8} from '../../contract/windows.ts';
import {fitTo, padStart, truncate} from '../../text.ts';
import {changeWindow, shortWindow} from '../cell-specs.ts';
import {change, compact} from '../format.ts';
import {Line, Text, useWidth} from '../live/lines.tsx';
import type {SectionProps} from './section-props.ts';

const NARROW_WINDOWS: readonly Window8[] = ['5min', '1h', '6h', '24h'];

/** The windows shorter than the token's life, and the first that holds all of it; every one where the age is unknown. */
function livedWindows(ageMs: number | undefined): {
	readonly windows: readonly Window8[];
	readonly all?: Window8;
} {
	const all = ageMs === undefined ? undefined : WINDOWS_8.find(w => WINDOW_MS[w] >= ageMs);
	return all === undefined ? {windows: WINDOWS_8} : {windows: WINDOWS_8.slice(0, WINDOWS_8.indexOf(all) + 1), all};
}

const LABEL_WIDTH = 10;
const CELL_WIDTH = 7;

const ROWS: readonly (readonly [name: string, read: (window: Window8) => FieldName])[] = [
	['volume $', w => `volume_${w}`],
	[' bought', w => `volume_buy_${w}`],
	[' sold', w => `volume_sell_${w}`],
	['trades', w => `trades_${w}`],
	[' buys', w => `buys_${w}`],
	[' sells', w => `sells_${w}`],
	['traders', w => `traders_${w}`],
	[' buyers', w => `buyers_${w}`],
	[' sellers', w => `sellers_${w}`],
	['fees $', w => `fees_paid_${w}`],
	['organic $', w => `organic_volume_${w}`],
	[' traders', w => `organic_traders_${w}`],
];

/** Every figure that has time windows. A window longer than the token's life repeats what the one before says: it is left out. */
export function Activity({model, detail: {entry}}: SectionProps): ReactNode {
	const width = useWidth();
	const {nowMs, skewMs} = model.state;
	const lived = livedWindows(entry.created_at === undefined ? undefined : nowMs + skewMs - entry.created_at);
	const hasRoom = width >= LABEL_WIDTH + lived.windows.length * CELL_WIDTH;
	const windows = hasRoom ? lived.windows : lived.windows.filter(w => NARROW_WINDOWS.includes(w) || w === lived.all);
	return (
		<>
			<Line>
				<Text tone="rule">{model.glyphs.line}</Text>
				<Text tone="accent">{fitTo(' ACTIVITY', LABEL_WIDTH - 1)}</Text>
				{windows.map(w => (
					<Text key={w} tone="dim">
						{padStart(w === lived.all ? 'all' : shortWindow(w), CELL_WIDTH)}
					</Text>
				))}
			</Line>
			<Line>
				<Text tone="dim">{fitTo('change', LABEL_WIDTH)}</Text>
				{windows.map(w => (
					<WindowChange
						key={w}
						window={w}
						percent={entry[`price_change_${changeWindow(w)}`]}
						unknown={model.glyphs.unknown}
					/>
				))}
			</Line>
			{ROWS.map(([name, read]) => (
				<Line key={read('1h')}>
					<Text tone="dim">{fitTo(name, LABEL_WIDTH)}</Text>
					{windows.map(w => {
						const value = entry[read(w)] as number | undefined;
						return (
							<Text key={w} tone={value === undefined || value === 0 ? 'faint' : 'text'}>
								{padStart(compact(value), CELL_WIDTH)}
							</Text>
						);
					})}
				</Line>
			))}
		</>
	);
}

/** The change of the price over a window; the API has none for 15 minutes. */
function WindowChange({
	window,
	percent,
	unknown,
}: {
	readonly window: Window8;
	readonly percent: number | undefined;
	readonly unknown: string;
}): ReactNode {
	if (window === '15min') return <Text tone="faint">{padStart(unknown, CELL_WIDTH)}</Text>;
	const tone = percent === undefined || percent === 0 ? 'faint' : percent > 0 ? 'up' : 'down';
	return <Text tone={tone}>{padStart(truncate(change(percent), CELL_WIDTH), CELL_WIDTH)}</Text>;
}
