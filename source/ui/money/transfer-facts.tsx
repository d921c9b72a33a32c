import type {ReactNode} from 'react';
import type {BridgeView} from '../../trading/bridge/flow.ts';
import {isEnd} from '../../trading/bridge/machine.ts';
import {Fact} from '../live/fact.tsx';
import {KnownFacts} from './known-facts.tsx';

/** How long what was signed can still be executed; nothing when it cannot. @param nowMs local Unix ms */
export function Deadline({view, nowMs}: {readonly view: BridgeView; readonly nowMs: number}): ReactNode {
	const {state, plan} = view;
	const nowS = Math.floor((nowMs + (plan?.clock.skewMs ?? 0)) / 1000);
	const leftS = isEnd(state) ? 0 : (state.deadlineS ?? nowS) - nowS;
	return leftS > 0 && <Fact label="deadline">{`the batch is void in ${leftS} s`}</Fact>;
}

/** Where a transfer can be looked up, and the message of the service. */
export function TransferIds({state}: Pick<BridgeView, 'state'>): ReactNode {
	const {intentId, depositTxHash, fillTxHash, likeTxHash, said} = state;
	return (
		<KnownFacts
			facts={{
				intent: intentId,
				deposit: depositTxHash,
				fill: fillTxHash,
				'other payment': likeTxHash,
				message: said,
			}}
		/>
	);
}
