import {foldAddress} from '../../../address.ts';
import {CHAINS, findChain} from '../chains.ts';
import type {FundEvent} from '../events.ts';
import {addressOn, transactionOn} from './addresses.ts';
import {ENTITIES} from './entities.ts';
import {Random} from './random.ts';

/** Wallets by number: known entities, bots, sharp traders, busy traders, ordinary wallets. */
const BOTS = {first: 100, count: 300} as const;
const SHARP = {first: 400, count: 160} as const;
const BUSY = {first: 560, count: 700} as const;
const ORDINARY = {first: 1260, count: 30_000} as const;
const TOTAL = ORDINARY.first + ORDINARY.count;
const EXCHANGES = ENTITIES.map((entity, index) => ({entity, index})).filter(
	({entity}) => entity.type === 'exchange' || entity.type === 'bridge',
);

/**
 * The wallets of the simulated market. A wallet is a number; its address, its age and its funder follow from the number
 * and the seed, so nothing is stored before a wallet acts. A wallet has one address on Solana and another one on all
 * EVM chains.
 */
export class Crowd {
	readonly #seed: number;
	readonly #startMs: number;
	readonly #solana: (string | undefined)[] = new Array(TOTAL);
	readonly #evm: (string | undefined)[] = new Array(TOTAL);
	/** By wallet; bit 1 on Solana, bit 2 on EVM chains. */
	readonly #introduced = new Uint8Array(TOTAL);
	/** Addresses of the sharp traders that were used so far. */
	readonly #sharp = new Set<string>();

	constructor(seed: number, startMs: number) {
		this.#seed = seed;
		this.#startMs = startMs;
	}

	address(chainId: string, wallet: number): string {
		const isEvm = chainId.startsWith('evm:');
		const cache = isEvm ? this.#evm : this.#solana;
		const known = cache[wallet];
		if (known !== undefined) return known;
		const address = addressOn(chainId, new Random(this.#seed, 7001, wallet, isEvm ? 1 : 0));
		cache[wallet] = address;
		if (wallet >= SHARP.first && wallet < SHARP.first + SHARP.count) this.#sharp.add(address);
		return address;
	}

	bot(random: Random): number {
		return BOTS.first + random.index(BOTS.count);
	}

	sharp(random: Random): number {
		return SHARP.first + random.index(SHARP.count);
	}

	busy(random: Random): number {
		return BUSY.first + random.index(BUSY.count);
	}

	/** An ordinary wallet; a few of them act far more often than most. */
	ordinary(random: Random): number {
		return ORDINARY.first + Math.floor(ORDINARY.count * random.unit() ** 2.2);
	}

	/** True for the address of a sharp trader that `address` has returned. */
	isSharp(address: string): boolean {
		return this.#sharp.has(address);
	}

	/** The program that a wallet trades through, null for none. */
	platformOf(address: string): string | null {
		const choice = address.charCodeAt(7) & 15;
		return choice === 0 ? 'swiftbot' : choice === 1 ? 'petrel' : choice === 2 ? 'gull-terminal' : null;
	}

	/** The wallet of a known entity that acts on every chain. */
	entity(random: Random): number {
		return random.index(ENTITIES.length);
	}

	/** The entity behind an address, as far as the service knows. */
	entityOf(address: string): (typeof ENTITIES)[number] | undefined {
		const own = foldAddress(address);
		return ENTITIES.find(
			(_, wallet) => this.address('solana:solana', wallet) === own || this.address('evm:1', wallet) === own,
		);
	}

	/** The funding of a numbered wallet at its first use; undefined later, and for entities. */
	introduce(chainId: string, wallet: number): FundEvent | undefined {
		const bit = chainId.startsWith('evm:') ? 2 : 1;
		if (wallet < ENTITIES.length || this.#introduced[wallet]! & bit) return undefined;
		this.#introduced[wallet]! |= bit;
		const address = this.address(chainId, wallet);
		const random = new Random(this.#seed, 7002, wallet);
		const daysOld = random.skewed(120, 1.3);
		// Of funding that old only the fact is known, not the transaction.
		return {...this.funding(chainId, address, this.#startMs - 86_400_000 * (1 + daysOld), random), tx: null};
	}

	/** The event of a wallet's funding, by default from an exchange. */
	funding(chainId: string, wallet: string, timeMs: number, random: Random, from?: string): FundEvent {
		const chain = findChain(chainId) ?? CHAINS[0]!;
		return {
			type: 'fund',
			timeMs: Math.floor(timeMs),
			chainId,
			wallet,
			from: from ?? this.address(chainId, random.pick(EXCHANGES).index),
			amount: Number((random.skewed(400, 1) / chain.nativeUSD).toPrecision(4)),
			coin: chain.native,
			tx: transactionOn(chainId, random),
		};
	}
}
