import type {ReactNode} from 'react';
import {type FlowModalProps, MoneyModal} from './money-modal.tsx';

/** The account for prediction markets. */
export function AccountModal({source, nowMs}: FlowModalProps): ReactNode {
	return <MoneyModal kind="predictionAccount" titles={TITLES} source={source} nowMs={nowMs} />;
}

const TITLES = ['Prediction markets: your account (alpha)', 'Your account (alpha)', 'Account'];
