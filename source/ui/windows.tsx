import type {ReactNode} from 'react';
import type {Mode, ModeKind, ModeOf} from '../monitor/mode.ts';
import {Explain} from './features/explain/explain-window.tsx';
import {Help} from './features/help/help-window.tsx';
import {ViewDiff} from './features/saved-views/view-diff.tsx';
import {AccountModal} from './money/account-modal.tsx';
import {BridgeModal} from './money/bridge-modal.tsx';
import type {FlowModalProps} from './money/money-modal.tsx';
import type {MoneyKind} from './money/money-state.ts';
import {PerpCancelModal} from './money/perp-cancel-modal.tsx';
import {TradeModal} from './money/trade-modal.tsx';

type Windows = {readonly [K in ModeKind]?: (props: {readonly mode: ModeOf<K>}) => ReactNode};

/** The component of each mode that has a window of its own. */
const WINDOWS: Windows = {
	help: Help,
	helpSearch: Help,
	presetDiff: ViewDiff,
	why: Explain,
};

/** The window of the mode that has the keyboard. */
export function OwnWindow({mode}: {readonly mode: Mode}): ReactNode {
	const Window = WINDOWS[mode.kind] as ((props: {readonly mode: Mode}) => ReactNode) | undefined;
	return Window && <Window mode={mode} />;
}

type MoneyModals = {readonly [K in MoneyKind]: (props: FlowModalProps & {readonly mode: ModeOf<K>}) => ReactNode};

/** The component of each flow that moves money. */
const MONEY_MODALS: MoneyModals = {
	bridge: BridgeModal,
	perp: PerpCancelModal,
	predictionAccount: AccountModal,
	trade: TradeModal,
};

/** The window of the flow whose mode has the keyboard. */
export function MoneyWindow({mode, ...props}: FlowModalProps & {readonly mode: Mode}): ReactNode {
	const Modal = MONEY_MODALS[mode.kind as MoneyKind] as (props: FlowModalProps & {readonly mode: Mode}) => ReactNode;
	return <Modal mode={mode} {...props} />;
}
