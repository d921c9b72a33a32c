import type {OutsideToken, OutsideTrade} from '../../../source/service/market/outside.ts';

const USDC = 1e6;
const TOKEN = 1e18;
const NO_CURVE = 2n ** 128n - 1n;

/** A pool on a chain and the wallets that hold its token, in the smallest units: a second reading of the market's arithmetic. */
export class FakeVenue {
	token = 0n;
	usd = 0n;
	left = NO_CURVE;
	/** The smallest product of the reserves that the pool may have. */
	k = 0n;
	readonly balances = new Map<string, bigint>();
	readonly #feePpm: bigint;
	readonly #buyTaxBps: bigint;
	readonly #sellTaxBps: bigint;
	readonly #deployer: string;
	#trades = 0;

	constructor(token: OutsideToken) {
		this.#feePpm = BigInt(Math.round(token.fee * 1e6));
		this.#buyTaxBps = BigInt(Math.round((token.buyTax ?? 0) * 1e4));
		this.#sellTaxBps = BigInt(Math.round((token.sellTax ?? 0) * 1e4));
		this.#deployer = token.deployer;
	}

	/** Copies the reserves of the market, as the sync before a trade does. */
	sync({reserveToken, reserveUSD, left}: OutsideToken): void {
		this.token = tokenRaw(reserveToken);
		this.usd = BigInt(Math.round(reserveUSD * USDC));
		this.left = left === Number.POSITIVE_INFINITY ? NO_CURVE : tokenRaw(left);
		this.k = this.token * this.usd;
	}

	/** Buys for an amount with the fee in it; undefined when it is too large for the curve. */
	buy(wallet: string, usd: number): OutsideTrade | undefined {
		const paid = BigInt(Math.round(usd * USDC));
		const into = (paid * 1_000_000n) / (1_000_000n + this.#feePpm);
		const out = (this.token * into) / (this.usd + into);
		if (out === 0n || out > this.left) return undefined;
		const tax = (out * this.#buyTaxBps) / 10_000n;
		this.#move(-out, into);
		this.#give(wallet, out - tax);
		this.#give(this.#deployer, tax);
		return this.#log('buy', wallet, out, out - tax, into, paid - into);
	}

	/** Sells tokens of a wallet. */
	sell(wallet: string, tokens: bigint): OutsideTrade | undefined {
		const tax = (tokens * this.#sellTaxBps) / 10_000n;
		const into = tokens - tax;
		const out = (this.usd * into) / (this.token + into);
		if (out === 0n) return undefined;
		this.#give(wallet, -tokens);
		this.#give(this.#deployer, tax);
		this.#move(into, -out);
		return this.#log('sell', wallet, into, tokens, out, (out * this.#feePpm) / 1_000_000n);
	}

	balance(wallet: string): bigint {
		return this.balances.get(wallet) ?? 0n;
	}

	#move(token: bigint, usd: bigint): void {
		this.token += token;
		this.usd += usd;
		if (this.left !== NO_CURVE) this.left += token;
	}

	#give(wallet: string, tokens: bigint): void {
		this.balances.set(wallet, this.balance(wallet) + tokens);
	}

	#log(
		side: OutsideTrade['side'],
		wallet: string,
		poolTokens: bigint,
		traderTokens: bigint,
		usd: bigint,
		fee: bigint,
	): OutsideTrade {
		const tx = `0x${(++this.#trades).toString(16).padStart(64, '0')}`;
		return {
			side,
			wallet,
			poolTokens: whole(poolTokens),
			traderTokens: whole(traderTokens),
			usd: Number(usd) / USDC,
			feeUSD: Number(fee) / USDC,
			tx,
		};
	}
}

/** The smallest units of a token with 18 decimals. */
function tokenRaw(tokens: number): bigint {
	return BigInt(Math.round(tokens * 1e6)) * 1_000_000_000_000n;
}

export function whole(raw: bigint): number {
	return Number(raw) / TOKEN;
}
