/** Which line to draw (spec 4.14): an asset by name or by contract address (then `blockchain` too), a symbol or an id. */
export interface SparklineQuery {
	readonly asset?: string;
	readonly blockchain?: string;
	readonly symbol?: string;
	readonly id?: string;
	/** `24h` (default), `7d`, ... */
	readonly timeFrame?: string;
}

/** A price line as numbers. */
export interface Sparkline {
	/** Heights at even steps in time, oldest first; at least two. */
	readonly points: readonly number[];
	readonly min: number;
	readonly max: number;
	readonly last: number;
	/** `usd` when the picture says its scale (`data-min`, `data-max`); otherwise `relative`: 0 is the bottom of the line, 1 its top. */
	readonly unit: 'usd' | 'relative';
}
