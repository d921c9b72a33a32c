import {type ReactNode, useCallback} from 'react';
import type {TradeTarget} from '../../trading/traded-token.ts';
import {type FlowModalProps, MoneyModal} from './money-modal.tsx';
import type {MoneyCanvas} from './money-rows.ts';
import {tradeHeadRows, tradeTitles} from './trade-title.ts';

export interface TradeModalProps extends FlowModalProps {
	/** The token as it was when the key was pressed: it stands in every step. */
	readonly mode: {readonly target: TradeTarget};
}

/** A buy or a sell of a token. */
export function TradeModal({mode: {target}, source, nowMs}: TradeModalProps): ReactNode {
	const head = useCallback((canvas: MoneyCanvas) => tradeHeadRows(canvas, target), [target]);
	return <MoneyModal kind="trade" titles={tradeTitles(target)} head={head} source={source} nowMs={nowMs} />;
}
