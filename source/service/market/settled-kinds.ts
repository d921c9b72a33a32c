import {FRESH_S, KIND, type Wallets} from './wallets.ts';

/** The bits of a wallet by its address, see SettledKinds.unsettled. */
export type WalletKinds = readonly [address: string, kinds: number];

/**
 * What wallets are (pro, smart, fresh) in the shares of holders, where these must follow from events alone: it changes at set times
 * for all tokens at once. Otherwise a token's shares would show what its holders were when its row was last refreshed.
 */
export class SettledKinds {
	readonly #wallets: Wallets;
	/** KIND bits by wallet, as of the last `settle`. */
	#shown = new Uint8Array(0);
	/** Wallets whose bits may have changed since. */
	readonly #unsettled = new Set<number>();
	#settledS: number;

	/** @param settledS when `settle` was last due, Unix seconds */
	constructor(wallets: Wallets, settledS: number) {
		this.#wallets = wallets;
		this.#settledS = settledS;
		wallets.listen({created: id => this.#set(id, 0), changed: id => this.#unsettled.add(id)});
	}

	isPro(id: number): boolean {
		return (this.#shown[id]! & KIND.pro) !== 0;
	}

	isSmart(id: number): boolean {
		return (this.#shown[id]! & KIND.smart) !== 0;
	}

	isFresh(id: number): boolean {
		return (this.#shown[id]! & KIND.fresh) !== 0;
	}

	/** A wallet that no token has yet is at once what its funding makes of it. */
	introduced(id: number): void {
		this.#set(id, this.#kindsOf(id));
		this.#unsettled.delete(id);
	}

	/**
	 * From now on every wallet is what it has become.
	 * @param nowS Unix seconds
	 * @returns by wallet: whether it is something else now; undefined when none is
	 */
	settle(nowS: number): Uint8Array | undefined {
		this.#settledS = nowS;
		this.#unsettled.clear();
		let changed: Uint8Array | undefined;
		for (let id = 1; id < this.#wallets.length; id++) {
			const kinds = this.#kindsOf(id);
			if (this.#shown[id] === kinds) continue;
			changed ??= new Uint8Array(this.#wallets.length);
			changed[id] = 1;
			this.#set(id, kinds);
		}
		return changed;
	}

	/** What wallets still are that have become something else since the last `settle`. */
	unsettled(): WalletKinds[] {
		return [...this.#unsettled]
			.filter(id => this.#shown[id] !== this.#kindsOf(id))
			.map(id => [this.#wallets.address(id), this.#shown[id]!] as const);
	}

	/** Makes all wallets what they were when `unsettled` gave this, after the same events in any order. */
	restore(unsettled: readonly WalletKinds[]): void {
		this.settle(this.#settledS);
		for (const [address, kinds] of unsettled) {
			const id = this.#wallets.find(address);
			if (id === undefined) continue;
			this.#set(id, kinds);
			this.#unsettled.add(id);
		}
	}

	#kindsOf(id: number): number {
		const {kinds, fundedS} = this.#wallets;
		const isFresh = fundedS[id] !== 0 && this.#settledS - fundedS[id]! < FRESH_S;
		return (kinds[id]! & (KIND.pro | KIND.smart)) | (isFresh ? KIND.fresh : 0);
	}

	#set(id: number, kinds: number): void {
		if (id >= this.#shown.length) {
			const longer = new Uint8Array(Math.max(1024, this.#wallets.kinds.length, id * 2));
			longer.set(this.#shown);
			this.#shown = longer;
		}
		this.#shown[id] = kinds;
	}
}
