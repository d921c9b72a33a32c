/** Time windows of the statistics (spec 2.1). The spec calls the second list W15; it has eight members. */
export const WINDOWS_7 = ['1min', '5min', '1h', '4h', '6h', '12h', '24h'] as const;
export const WINDOWS_8 = ['1min', '5min', '15min', '1h', '4h', '6h', '12h', '24h'] as const;

export type Window7 = (typeof WINDOWS_7)[number];
export type Window8 = (typeof WINDOWS_8)[number];

/** The length of each window in milliseconds. */
export const WINDOW_MS: Readonly<Record<Window8, number>> = {
	'1min': 60_000,
	'5min': 300_000,
	'15min': 900_000,
	'1h': 3_600_000,
	'4h': 14_400_000,
	'6h': 21_600_000,
	'12h': 43_200_000,
	'24h': 86_400_000,
};
