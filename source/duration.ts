const DURATION = /^(?=\d)(?:(\d{1,3})d)?(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s)?$/;

/** Milliseconds of a length of time as `90s`, `10m`, `1h30m`; undefined for other text. */
export function durationMs(text: string): number | undefined {
	const [whole, d = 0, h = 0, m = 0, s = 0] = DURATION.exec(text) ?? [];
	return whole ? (((Number(d) * 24 + Number(h)) * 60 + Number(m)) * 60 + Number(s)) * 1000 : undefined;
}
