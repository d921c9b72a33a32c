import type {Detail} from '../../monitor/state.ts';
import type {TokenHolding} from '../../monitor/tokens/holdings.ts';
import type {Row, Span} from '../../terminal/style.ts';
import {change, compact, price, usd} from '../format.ts';
import {changeTone} from '../screens/token-table.ts';
import {spansWidth, toned, type ViewModel} from '../view-model.ts';
import {wrapText} from '../wrap-text.ts';

/** What is held of the token: amount, average cost, value and open profit; nothing where it was never traded. */
export function position(model: ViewModel, {key, entry}: Detail, width: number): Row[] {
	const holding = model.state.holdings?.get(key);
	if (!holding) return [];
	const {held, underWay} = model.glyphs;
	const mark = toned(model, 'accent', `${holding.isUnderWay ? underWay : held} `);
	const words = [...(holding.isUnderWay ? ['a trade of it is under way'] : []), ...holding.words];
	return [
		...(holding.isHeld ? flowed([mark, ...figures(model, holding, entry.latest_price)], width) : []),
		...wrapText(words.join('; '), width).map((line): Row => [toned(model, 'warn', line)]),
	];
}

/** Each figure with its name, so that a line is broken between figures. */
function figures(model: ViewModel, holding: TokenHolding, now: number | undefined): Span[] {
	const {subscripts, unknown} = model.glyphs;
	const {amount, bought, costUSD, averageUSD} = holding;
	const named = (name: string, value: Span): Span[] => [toned(model, 'dim', `${name} `), value, {text: '  '}];
	const value = amount === undefined || now === undefined ? undefined : amount * now;
	const open =
		bought === undefined || now === undefined || costUSD === undefined || costUSD === 0
			? undefined
			: bought * now - costUSD;
	const percent = open === undefined ? undefined : (open / costUSD!) * 100;
	const text = (words: string, isKnown: boolean): Span => toned(model, isKnown ? 'text' : 'faint', words);
	return [
		...named('held', text(amount === undefined ? 'not read' : compact(amount), amount !== undefined)),
		...named('avg', text(price(averageUSD, {unknown, subscripts}), averageUSD !== undefined)),
		...named('value', text(usd(value, unknown), value !== undefined)),
		...named(
			'open',
			toned(
				model,
				changeTone(percent),
				open === undefined ? unknown : `${open > 0 ? '+' : ''}${usd(open)} ${change(percent)}`,
			),
		),
	];
}

/** Spans on as many lines as they need, each name with its value. */
function flowed(spans: readonly Span[], width: number): Row[] {
	const [mark, ...rest] = spans;
	const lines: Span[][] = [[mark!]];
	for (let at = 0; at < rest.length; at += 3) {
		const pair = rest.slice(at, at + 3);
		const line = lines.at(-1)!;
		if (line.length > 1 && spansWidth([...line, ...pair.slice(0, 2)]) > width) lines.push([{text: '  '}, ...pair]);
		else line.push(...pair);
	}
	return lines;
}
