import type {Image} from './image.ts';
import {FRESH_S, KIND, type Wallets} from './wallets.ts';

/** The bits of a wallet by its address. */
export type WalletKinds = readonly [address: string, kinds: number];

/** A part of what SettledKinds must have again after a restart. */
export interface UnkeptKinds {
	/** The kinds that were kept before do not count any more. */
	readonly isAll: boolean;
	readonly wallets: readonly WalletKinds[];
}

/**
 * The kinds of wallets (pro, smart, fresh) in the shares of holders, where these must follow from events alone: kinds change at set times
 * for all tokens at once. Otherwise a token's shares would show what its holders were when its row was last refreshed.
 */
export class SettledKinds {
	readonly #wallets: Wallets;
	/** KIND bits by wallet, as of the last `settle`. */
	#shown = new Uint8Array(0);
	/** Wallets whose bits may have changed since. */
	readonly #unsettled = new Set<number>();
	/** Those of them that were not kept yet. */
	#unkept: number[] = [];
	/** Addresses of those that were. */
	readonly #kept = new Set<string>();
	/** The kinds that were kept before do not count. */
	#isOver = true;
	#settledS: number;

	/** @param settledS when `settle` was last due, Unix seconds */
	constructor(wallets: Wallets, settledS: number) {
		this.#wallets = wallets;
		this.#settledS = settledS;
		wallets.listen({created: id => this.#created(id), changed: id => this.#changed(id)});
	}

	/** See Image. */
	pass(image: Image): void {
		this.#shown = image.column(this.#shown);
		this.#settledS = image.value(this.#settledS);
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
		if (this.#unkept.at(-1) === id) this.#unkept.pop();
	}

	/**
	 * From now on every wallet is what it has become.
	 * @param nowS Unix seconds
	 * @returns by wallet: whether it is something else now; undefined when none is
	 */
	settle(nowS: number): Uint8Array | undefined {
		this.#settledS = nowS;
		this.#unsettled.clear();
		this.#unkept = [];
		this.#kept.clear();
		this.#isOver = true;
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

	/** The shown kinds of wallets whose kind may have changed since, as far as they were not kept yet. */
	unkept(): UnkeptKinds {
		return {
			isAll: this.#isOver,
			wallets: this.#unkept.map(id => [this.#wallets.address(id), this.#shown[id]!] as const),
		};
	}

	/** Says that the result of `unkept` is kept. */
	keep(): void {
		for (const id of this.#unkept) this.#kept.add(this.#wallets.address(id));
		this.#unkept = [];
		this.#isOver = false;
	}

	/**
	 * Gives all wallets the kinds that they had when the last of the kept kinds was stored, after the same events in any order.
	 * @returns as `settle`; a wallet may be named whose kind did not change
	 */
	restore(kept: readonly WalletKinds[]): Uint8Array | undefined {
		let changed = this.settle(this.#settledS);
		for (const [address, kinds] of kept) {
			const id = this.#wallets.find(address);
			if (id === undefined) continue;
			changed ??= new Uint8Array(this.#wallets.length);
			changed[id] = 1;
			this.#set(id, kinds);
			this.#changed(id);
		}
		return changed;
	}

	#created(id: number): void {
		this.#set(id, 0);
		this.#unsettled.delete(id);
		// The number may have been another's, and the address may have been here before.
		if (this.#kept.size > 0 && this.#kept.has(this.#wallets.address(id))) this.#changed(id);
	}

	#changed(id: number): void {
		if (this.#unsettled.has(id)) return;
		this.#unsettled.add(id);
		this.#unkept.push(id);
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
