import type {ReactNode} from 'react';
import {chainName} from '../../chains/chains.ts';
import type {TradeTarget} from '../../contract/trade-target.ts';
import {clean} from '../../text.ts';
import {Line, Text, useDisplay, useWidth} from '../live/lines.tsx';
import {Paragraph} from '../live/paragraph.tsx';
import {type FlowModalProps, MoneyModal} from './money-modal.tsx';

export interface TradeModalProps extends FlowModalProps {
	/** The token as it was when the key was pressed: it stands in every step. */
	readonly mode: {readonly target: TradeTarget};
}

/** A buy or a sell of a token. */
export function TradeModal({mode: {target}, source, nowMs}: TradeModalProps): ReactNode {
	const head = <TradedToken target={target} />;
	return <MoneyModal kind="trade" titles={tradeTitles(target)} head={head} source={source} nowMs={nowMs} />;
}

/** Side, token and chain of a trade in one line; the longest text first. */
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
export function TradedToken({target}: {readonly target: TradeTarget}): ReactNode {
	const {dot} = useDisplay().glyphs;
	const width = useWidth();
	const {address, name, lookAlike, marks} = target;
	const room = width - address.length - 4;
	const called = name === '' || room < 8 ? '' : `  “${clean(name, {maxCells: room})}”`;
	const warnings = [...(lookAlike ? [LOOKALIKE[lookAlike]] : []), ...marks.map(mark => clean(mark, {maxCells: 48}))];
	// The whole address stands there on the narrowest screen, too: it names the token.
	const parts = address.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
	return (
		<>
			{parts.map((part, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
				<Line key={at}>
					<Text tone="strong">{part}</Text>
					<Text tone="dim">{at === 0 && called}</Text>
				</Line>
			))}
			{warnings.length > 0 && (
				<Paragraph tone={lookAlike === 'bad' ? 'bad' : 'warn'} text={`! ${warnings.join(`  ${dot}  `)}`} />
			)}
		</>
	);
}
