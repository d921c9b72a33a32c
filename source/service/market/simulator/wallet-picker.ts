import {addressOn} from './addresses.ts';
import type {Random} from './random.ts';
import type {TokenContext} from './token-context.ts';

/** Picks the wallets that act in one token, and emits the funding of each before its first act. */
export class WalletPicker {
	readonly #context: TokenContext;
	readonly #chainId: string;
	readonly #random: Random;

	constructor(context: TokenContext, chainId: string, random: Random) {
		this.#context = context;
		this.#chainId = chainId;
		this.#random = random;
	}

	/** The address of a numbered wallet of the crowd. */
	known(wallet: number): string {
		const {crowd, emit} = this.#context;
		const funding = crowd.introduce(this.#chainId, wallet);
		if (funding) emit(funding);
		return crowd.address(this.#chainId, wallet);
	}

	/** Emits the funding of a wallet that belongs to this token alone. */
	introduce(wallet: string, timeMs: number, from?: string): void {
		this.#context.emit(this.#context.crowd.funding(this.#chainId, wallet, timeMs, this.#random, from));
	}

	/**
	 * A random wallet, by a number from 0 to 1: a busy trader, a sharp one, a known entity, a new wallet, or an
	 * ordinary one.
	 */
	trader(luck: number, timeMs: number): string {
		const random = this.#random;
		const {crowd} = this.#context;
		if (luck < 0.6) return this.known(crowd.busy(random));
		if (luck < 0.66) return this.known(crowd.sharp(random));
		if (luck < 0.663) return this.known(crowd.entity(random));
		if (luck >= 0.68) return this.known(crowd.ordinary(random));
		const wallet = addressOn(this.#chainId, random);
		this.introduce(wallet, timeMs - random.skewed(2e7, 1.5));
		return wallet;
	}
}
