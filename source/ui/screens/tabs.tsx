import type {ReactNode} from 'react';
import type {MonitorState} from '../../monitor/state.ts';
import {Text, useWidth} from '../live/lines.tsx';
import {OWN_TABS, type OwnTab} from './own-tabs.ts';

const NAMES: Readonly<Record<OwnTab, string>> = {
	held: 'POSITIONS',
	trades: 'TRADES',
	log: 'LOG',
	watchlist: 'WATCH LIST',
};
/** From this width on all tabs stand in the title, cells. */
const TABS_WIDTH = 70;

interface TabsProps {
	readonly monitor: Pick<MonitorState, 'service'>;
	readonly shown: OwnTab;
}

/** The names of the tabs in a title, the shown one marked; that one alone where there is no room, or no other one. */
export function Tabs({monitor: {service}, shown}: TabsProps): ReactNode {
	const tabs = useWidth() < TABS_WIDTH || service.noMoney !== undefined ? [shown] : OWN_TABS;
	return tabs.map((tab, at) => [
		at > 0 && '  ',
		<Text key={tab} tone={tab === shown ? 'brand' : 'faint'}>
			{NAMES[tab]}
		</Text>,
	]);
}
