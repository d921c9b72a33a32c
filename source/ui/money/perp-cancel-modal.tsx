import type {ReactNode} from 'react';
import {type FlowModalProps, MoneyModal} from './money-modal.tsx';

/** The cancel of a perpetuals order. */
export function PerpCancelModal({source, nowMs}: FlowModalProps): ReactNode {
	return <MoneyModal kind="perp" titles={TITLES} source={source} nowMs={nowMs} />;
}

const TITLES = ['Perpetuals: cancel an order', 'Cancel an order'];
