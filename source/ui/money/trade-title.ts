import {chainName} from '../../chains/chains.ts';
import type {Row} from '../../terminal/style.ts';
import {clean} from '../../text.ts';
import type {TradeTarget} from '../../trading/traded-token.ts';
import {toned} from '../view-model.ts';
import {type MoneyCanvas, paragraph} from './money-rows.ts';

/** What a trade is about, in one line; the longest text first. */
export function tradeTitles({side, symbol, chainId}: TradeTarget): readonly string[] {
	const verb = side === 'buy' ? 'Buy' : 'Sell';
	const token = clean(symbol, {maxCells: 14});
	return [`${verb} ${token} on ${chainName(chainId)}`, `${verb} ${token}`, verb];
}

const LOOKALIKE = {
	bad: 'it imitates the name of another token, or of known money',
	warn: 'a much larger or older token has this name',
} as const;

/** The lines below the title in every step: the whole address, and everything that speaks against the token. */
export function tradeHeadRows(canvas: MoneyCanvas, {address, name, lookAlike, marks}: TradeTarget): Row[] {
	const room = canvas.width - address.length - 4;
	const called = name === '' || room < 8 ? '' : `  “${clean(name, {maxCells: room})}”`;
	const warnings = [...(lookAlike ? [LOOKALIKE[lookAlike]] : []), ...marks.map(mark => clean(mark, {maxCells: 48}))];
	// The whole address stands there on the narrowest screen, too: it says what is traded.
	const parts = address.match(new RegExp(`.{1,${canvas.width}}`, 'g')) ?? [];
	return [
		...parts.map((part, at) => [toned(canvas, 'strong', part), ...(at === 0 ? [toned(canvas, 'dim', called)] : [])]),
		...(warnings.length === 0
			? []
			: paragraph(canvas, lookAlike === 'bad' ? 'bad' : 'warn', `! ${warnings.join(`  ${canvas.glyphs.dot}  `)}`)),
	];
}
