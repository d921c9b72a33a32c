/**
 * A constant-product pool: trades keep the product of its two reserves. A bonding curve is a pool with virtual reserves
 * that sells a fixed number of tokens and then closes.
 */
export class Reserves {
	tokens: number;
	quotes: number;
	/** Tokens that a curve can still sell; Infinity for an ordinary pool, which never closes. */
	left: number;

	constructor(tokens: number, quotes: number, left = Number.POSITIVE_INFINITY) {
		this.tokens = tokens;
		this.quotes = quotes;
		this.left = left;
	}

	/** Quote coins for one token. */
	get price(): number {
		return this.quotes / this.tokens;
	}

	get isClosed(): boolean {
		return this.left <= 0;
	}

	/** Sells tokens for up to `quote` coins, fewer when the curve closes before; undefined when no token is sold. */
	buy(quote: number): {readonly tokens: number; readonly quotes: number} | undefined {
		if (this.isClosed) return undefined;
		let paid = quote;
		let got = this.tokens - (this.tokens * this.quotes) / (this.quotes + paid);
		if (got >= this.left) {
			got = this.left;
			paid = (this.tokens * this.quotes) / (this.tokens - got) - this.quotes;
		}
		if (!(got > 0 && paid > 0)) return undefined;
		this.move(-got, paid);
		return {tokens: got, quotes: paid};
	}

	/** Takes tokens back; undefined when they are worth nothing or the curve is closed. */
	sell(tokens: number): {readonly tokens: number; readonly quotes: number} | undefined {
		if (this.isClosed) return undefined;
		const quotes = this.quotes - (this.tokens * this.quotes) / (this.tokens + tokens);
		if (!(quotes > 0 && tokens > 0)) return undefined;
		this.move(tokens, -quotes);
		return {tokens, quotes};
	}

	/** Adds to the reserves; negative amounts leave them. */
	move(tokens: number, quotes: number): void {
		this.tokens += tokens;
		this.quotes += quotes;
		this.left += tokens;
	}
}
