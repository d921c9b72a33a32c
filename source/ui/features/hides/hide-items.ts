import {addressOfKey, type Entry} from '../../../contract/entry.ts';
import {countOfDeployer, type Hide, hideId} from '../../../monitor/hides/hides.ts';
import {selectedBelow} from '../../../monitor/select.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import {middleEllipsis, truncate} from '../../../text.ts';
import type {MenuItem} from '../../feature.ts';

/** Ids of the lines that hide more; all others are ids of what is hidden. */
export const HIDE_DEPLOYER = 'new deployer';
export const HIDE_KEYWORD = 'new keyword';

/** The lines of the hidden list: what could be hidden now, then what is hidden, the newest first. */
export function hiddenItems(state: MonitorState): readonly MenuItem[] {
	const entry = selectedBelow(state);
	return [
		...(entry ? [deployerItem(entry, state)] : []),
		{id: HIDE_KEYWORD, label: 'n  hide a keyword', note: 'in symbol, name or description'},
		...[...state.hidden.values()].reverse().map(hideItem),
	];
}

function deployerItem({deployer, symbol, address}: Entry, {columns}: MonitorState): MenuItem {
	const label = `d  hide the deployer of ${truncate(symbol ?? middleEllipsis(address, 13), 16)}`;
	if (deployer === undefined) return {id: HIDE_DEPLOYER, label, note: '', disabled: 'not reported'};
	const count = countOfDeployer(columns, deployer);
	const here = count > 1 ? `, ${count} tokens here` : '';
	return {id: HIDE_DEPLOYER, label, note: `${middleEllipsis(deployer, 13)}${here}`};
}

function hideItem(hide: Hide): MenuItem {
	const {kind, value, label, reason} = hide;
	const address = kind === 'token' ? ` ${middleEllipsis(addressOfKey(value), 21)}` : '';
	return {id: hideId(hide), label: `${kind} ${label}${address}`, note: reason};
}
