import type {ReactNode} from 'react';
import {type FlowModalProps, MoneyModal} from './money-modal.tsx';

/** A gasless transfer: form, review, checks, typed confirmation, status. */
export function BridgeModal({source, nowMs}: FlowModalProps): ReactNode {
	return <MoneyModal kind="bridge" titles={TITLES} source={source} nowMs={nowMs} />;
}

const TITLES = ['Bridge: gasless transfer to another chain', 'Bridge'];
