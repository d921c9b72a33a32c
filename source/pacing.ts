/**
 * Every delay between a trade and its cell, ms, in the order of the stages. Each stage collects changes for at most this
 * time and passes the newest ones on together, so that a stage runs at most this often whatever the rate of trades.
 */
export const PACING_MS = {
	/** The simulated market applies its trades (service/market/create-market.ts). */
	market: 100,
	/** The service sends the changes of each view (service/server.ts). */
	streamFlush: 200,
	/** The client reads received frames: one by one they cost three times as much (client/stream/receive-queue.ts). */
	receive: 50,
	/** The feed thread posts changes to the screen's thread (client/remote/feed-host.ts). */
	feedThread: 100,
	/** The store applies changes of the feed (store.ts). */
	store: 100,
} as const;

/** The longest delay of a trade on its way to the cell, ms, besides the work of the stages: 550. The mean is half of it. */
export const TRADE_TO_CELL_MS = Object.values(PACING_MS).reduce((sum, ms) => sum + ms, 0);

/**
 * Shortest time between two changes of a column's order, ms: rows that move faster cannot be read. Figures do not wait for
 * it, and the first change after a longer silence shows at once, so that a launch is not delayed.
 */
export const REORDER_MS = 500;
