import type {ReactNode} from 'react';
import type {TokenHolding} from '../../monitor/tokens/holdings.ts';
import {change, compact, price, usd} from '../format.ts';
import {Line, type Measured, measured, Text, useWidth} from '../live/lines.tsx';
import {Paragraph} from '../live/paragraph.tsx';
import type {Tone} from '../theme.ts';
import {changeTone} from '../theme.ts';
import type {ViewModel} from '../view-model.ts';
import type {SectionProps} from './section-props.ts';

/** The position in the token: amount, average cost, value and open profit; nothing for a token that was never traded. */
export function Position({model, detail: {key, entry}}: SectionProps): ReactNode {
	const holding = model.state.holdings?.get(key);
	if (!holding) return null;
	const words = [...(holding.isUnderWay ? ['a trade of it is under way'] : []), ...holding.words];
	return (
		<>
			{holding.isHeld && <HeldFigures model={model} holding={holding} priceUSD={entry.latest_price} />}
			<Paragraph text={words.join('; ')} tone="warn" />
		</>
	);
}

/** Cells before the first figure of each line. */
const INDENT = 2;

/** Figures with their names on as many lines as they need, each name with its value. */
function HeldFigures({
	model,
	holding,
	priceUSD,
}: {
	readonly model: ViewModel;
	readonly holding: TokenHolding;
	readonly priceUSD: number | undefined;
}): ReactNode {
	const width = useWidth();
	const {held, underWay} = model.glyphs;
	const lines: Measured[][] = [[]];
	let used = INDENT;
	for (const figure of figuresOf(model, holding, priceUSD)) {
		const made = measured(<Figure {...figure} />, model, width);
		if (used > INDENT && used + made.width > width) {
			lines.push([]);
			used = INDENT;
		}
		lines.at(-1)!.push(made);
		used += made.width + 2;
	}
	return lines.map((figures, y) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
		<Line key={y}>
			{y === 0 ? <Text tone="accent">{holding.isUnderWay ? underWay : held} </Text> : '  '}
			{figures.map(({part}) => [part, '  '])}
		</Line>
	));
}

interface HeldFigure {
	readonly name: string;
	readonly value: string;
	readonly tone: Tone;
}

function Figure({name, value, tone}: HeldFigure): ReactNode {
	return (
		<>
			<Text tone="dim">{name} </Text>
			<Text tone={tone}>{value}</Text>
		</>
	);
}

function figuresOf(
	{glyphs}: ViewModel,
	{amount, bought, costUSD, averageUSD}: TokenHolding,
	priceUSD: number | undefined,
): readonly HeldFigure[] {
	const {subscripts, unknown} = glyphs;
	const value = amount === undefined || priceUSD === undefined ? undefined : amount * priceUSD;
	const open =
		bought === undefined || priceUSD === undefined || costUSD === undefined || costUSD === 0
			? undefined
			: bought * priceUSD - costUSD;
	const percent = open === undefined ? undefined : (open / costUSD!) * 100;
	const known = (figure: number | undefined): Tone => (figure === undefined ? 'faint' : 'text');
	const profit = open === undefined ? unknown : `${open > 0 ? '+' : ''}${usd(open)} ${change(percent)}`;
	return [
		{name: 'held', value: amount === undefined ? 'not read' : compact(amount), tone: known(amount)},
		{name: 'avg', value: price(averageUSD, {unknown, subscripts}), tone: known(averageUSD)},
		{name: 'value', value: usd(value, unknown), tone: known(value)},
		{name: 'open', value: profit, tone: changeTone(percent)},
	];
}
