/** Received bytes and frames: totals, and recent rates per second. */
export interface Traffic {
	add(bytes: number): void;
	readonly bytesIn: number;
	readonly framesIn: number;
	readonly bytesPerSecond: number;
	readonly framesPerSecond: number;
}

const SECONDS = 5;

/** Counts in a ring of whole seconds; rates are the mean of the last five complete seconds. */
export function createTraffic(monotonicMs: () => number = () => performance.now()): Traffic {
	const bytes = new Float64Array(SECONDS + 1);
	const frames = new Float64Array(SECONDS + 1);
	let second = Math.floor(monotonicMs() / 1000);
	let bytesIn = 0;
	let framesIn = 0;

	function advance(): number {
		const now = Math.floor(monotonicMs() / 1000);
		for (let passed = Math.min(now - second, SECONDS + 1); passed > 0; passed--) {
			const slot = (now - passed + 1) % (SECONDS + 1);
			bytes[slot] = 0;
			frames[slot] = 0;
		}
		second = Math.max(second, now);
		return second % (SECONDS + 1);
	}

	/** The slot of the current second is not complete yet. */
	function mean(ring: Float64Array): number {
		const current = advance();
		return Math.round((ring.reduce((sum, value) => sum + value, 0) - ring[current]!) / SECONDS);
	}

	return {
		add(size) {
			const slot = advance();
			bytes[slot]! += size;
			frames[slot]! += 1;
			bytesIn += size;
			framesIn += 1;
		},
		get bytesIn() {
			return bytesIn;
		},
		get framesIn() {
			return framesIn;
		},
		get bytesPerSecond() {
			return mean(bytes);
		},
		get framesPerSecond() {
			return mean(frames);
		},
	};
}
