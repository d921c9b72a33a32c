import type {SolanaNode} from '../../../rpc/solana/node.ts';
import {readTokenAccount} from './accounts.ts';
import {SOL, STABLE_COINS, TOKEN_PROGRAM} from './venues/coins.ts';

/** Vaults of the oldest pool of SOL and USDC (Raydium, 58oQChx4yWmvKdwLLZzBi4ChoCc2fqCUWBkwMihLYQo2). */
export const SOL_VAULT = 'DQyrAcCrDXQ7NeoqGgDCZwBvWDcYmFCjSb9JtteuvPpz';
export const USDC_VAULT = 'HLmqeL62xR1QoZ1HKKbXRrdN1p3phKpxRMb2VVopvBBz';
/** A pool with less than this is no source of a price: one trade moves it too far. */
const MIN_USDC = 50_000;
/** An older price is unknown. */
const MAX_AGE_MS = 5 * 60_000;

/** US dollars for one SOL: what a pool of SOL and USDC says, or what the user set. */
export class SolPrice {
	readonly #set: number | undefined;
	readonly #nowMs: () => number;
	#usd: number | null = null;
	#readMs = Number.NEGATIVE_INFINITY;

	constructor(nowMs: () => number, set?: number) {
		this.#nowMs = nowMs;
		this.#set = set;
	}

	/** Null: not read, or too long ago. */
	usd(): number | null {
		if (this.#set !== undefined) return this.#set;
		return this.#nowMs() - this.#readMs > MAX_AGE_MS ? null : this.#usd;
	}

	/** Reads the pool; what cannot be read leaves the old price. @throws NodeUnanswered, NodeRefused, NodeAnswerWrong */
	async refresh(node: SolanaNode): Promise<void> {
		if (this.#set !== undefined) return;
		const {accounts} = await node.accounts([SOL_VAULT, USDC_VAULT]);
		const [sol, usdc] = accounts;
		if (sol?.owner !== TOKEN_PROGRAM || usdc?.owner !== TOKEN_PROGRAM) return;
		const vaults = [readTokenAccount(sol.data), readTokenAccount(usdc.data)] as const;
		if (vaults[0].mint !== SOL.address || vaults[1].mint !== STABLE_COINS[0]!.address) return;
		const dollars = Number(vaults[1].amount) / 1e6;
		const coins = Number(vaults[0].amount) / 1e9;
		if (dollars < MIN_USDC || coins <= 0) return;
		this.#usd = dollars / coins;
		this.#readMs = this.#nowMs();
	}
}
