import {NATIVE} from '../../../chains/evm-chains.ts';
import {getOrInsert} from '../../../get-or-insert.ts';
import type {FollowedTokens} from './followed-tokens.ts';
import type {Address} from './venue.ts';
import type {ReadLog, TransferLog, VenueReader} from './venue-reader.ts';
import {type NetFlows, netFlows} from './wallet-of-trade.ts';

const DEAD: Address = '0x000000000000000000000000000000000000dead';

/** Where tokens went in one transaction. */
export class TokenFlows {
	readonly #state: FollowedTokens;
	readonly #reader: VenueReader;
	readonly #transfers: ReadonlyMap<Address, readonly TransferLog[]>;
	readonly #flows = new Map<Address, NetFlows>();

	constructor(logs: readonly ReadLog[], {state, reader}: {state: FollowedTokens; reader: VenueReader}) {
		this.#state = state;
		this.#reader = reader;
		this.#transfers = Map.groupBy(
			logs.filter(read => read.kind === 'transfer'),
			({log}) => log.address,
		);
	}

	transfersOf(token: Address): readonly TransferLog[] {
		return this.#transfers.get(token) ?? [];
	}

	/** Net amounts of a token by address. */
	of(token: Address): NetFlows {
		return getOrInsert(this.#flows, token, () => netFlows(this.transfersOf(token)));
	}

	/** Raw tokens that are new. */
	minted(token: Address): bigint {
		return mintedIn(this.transfersOf(token));
	}

	/** Raw tokens that an address got and that are new. */
	mintedTo(token: Address, address: Address): bigint {
		return mintedIn(this.transfersOf(token).filter(({to}) => to === address));
	}

	/** Who holds what an address gets: null for one that holds tokens for others, or only passes them on in this transaction. */
	holder(address: Address, token: Address): Address | null {
		return this.of(token).get(address) === 0n && !isKeyless(address) ? null : this.holderOnce(address, token);
	}

	/** The same of an earlier transaction. */
	holderOnce(address: Address, token: Address): Address | null {
		return !isKeyless(address) && this.isNoHolder(address, token) ? null : address;
	}

	/** Whether an address is a pool, a curve, a launchpad or the token itself, or has no key. */
	isNoHolder(address: Address, token: Address): boolean {
		return (
			address === token ||
			isKeyless(address) ||
			this.#state.pools.has(address) ||
			this.#state.isCurve(address) ||
			this.#reader.isOfVenue(address)
		);
	}
}

/** From the zero address tokens are new; to it, and to the dead one, they are burnt. */
export function isKeyless(address: Address): boolean {
	return address === NATIVE || address === DEAD;
}

/** Raw tokens that transfers made. */
export function mintedIn(transfers: readonly TransferLog[]): bigint {
	let minted = 0n;
	for (const {from, to, amount} of transfers) if (from === NATIVE && to !== NATIVE) minted += amount;
	return minted;
}
