import type {AddressState} from '../../../client/addresses.ts';
import {lossText} from '../../../monitor/resumed.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import {dateOf} from '../../../steady-clock.ts';
import type {MenuItem} from '../../feature.ts';
import {clock} from '../../format.ts';

/** The addresses of the service, then the last loss of the stream with what came and went meanwhile. */
export function addressItems({link, lastLoss}: MonitorState): readonly MenuItem[] {
	const {addresses: known = [], address: serving} = link ?? {};
	const width = Math.max(...known.map(({name}) => name.length), 0) + 2;
	const addresses = known.map(address => ({
		id: `address ${address.name}`,
		label: address.name.padEnd(width) + (address.name === serving ? 'serves now' : addressText(address)),
		note: '',
		isCurrent: address.name === serving,
	}));
	if (lastLoss === undefined) return addresses;
	const loss = {id: 'loss', label: `${clock(dateOf(lastLoss.atMs))}  ${lossText(lastLoss)}`, note: ''};
	const missed = lastLoss.missed.map(({view, entry}) => ({
		id: entry.key,
		label: `  ${entry.symbol ?? entry.address} in ${view}`,
		note: 'came and went',
	}));
	return [...addresses, loss, ...missed];
}

function addressText({state, why, atMs}: AddressState): string {
	if (state === 'unknown' || atMs === undefined) return 'not tried yet';
	return state === 'works' ? `worked at ${clock(dateOf(atMs))}` : `failed at ${clock(dateOf(atMs))}: ${why}`;
}
