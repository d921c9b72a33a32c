/** Upper bounds of the histogram of durations, in seconds. */
export const DURATION_BOUNDS_S = [0.005, 0.025, 0.1, 0.5, 2, 10] as const;

/** Responses of one route with one status. */
export interface RouteCount {
	readonly method: string;
	/** The route's pattern, such as `/api/2/bridge/status/:id`, not the requested path. */
	readonly route: string;
	readonly status: number;
	count: number;
	seconds: number;
	/** Number of responses within each bound. */
	readonly within: number[];
}

/** Counts the responses of the service since its start. */
export class RequestCounts {
	readonly #counts = new Map<string, RouteCount>();

	note(method: string, route: string, status: number, seconds: number): void {
		const name = `${method} ${route} ${status}`;
		let count = this.#counts.get(name);
		if (count === undefined) {
			count = {method, route, status, count: 0, seconds: 0, within: DURATION_BOUNDS_S.map(() => 0)};
			this.#counts.set(name, count);
		}
		count.count++;
		count.seconds += seconds;
		for (const [n, bound] of DURATION_BOUNDS_S.entries()) if (seconds <= bound) count.within[n]!++;
	}

	all(): Iterable<RouteCount> {
		return this.#counts.values();
	}
}
