/**
 * An estimate of the service's time. Signed timestamps must lie within 30 s of it (spec 5), and ages of tokens are
 * counted from it, so a wrong clock on this machine must not matter.
 */
export interface Clock {
	/** Server time now, Unix milliseconds; this machine's time while nothing is known. */
	nowMs(): number;
	/** Server time minus this machine's time; 0 while nothing is known. */
	readonly skewMs: number;
	/** How far off `skewMs` may be, either way; undefined while nothing is known. */
	readonly uncertaintyMs: number | undefined;
}
