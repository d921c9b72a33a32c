/*
 * The days, zones and languages in which tests run beside today's, so that none holds only here and now:
 * `npm test -- --clock leap-day` runs all tests on one of them, `npm test` the files below on each.
 */

/** A day that the processes under test believe in, where they believe to be, and in whose language. */
export interface TestClock {
	/** When the run begins, ISO 8601. The clock goes on from there. */
	readonly startsAt: string;
	readonly timeZone: string;
	/** The locale that Node takes its own formats from. */
	readonly locale: string;
	/** Whether whole programs run on it, too, and not only parts. */
	readonly hasStories: boolean;
}

export const TEST_CLOCKS: Readonly<Record<string, TestClock>> = {
	/** Another day of the month than UTC's for most of the day, which is a leap day; a capital I that is no i. */
	'leap-day': {
		startsAt: '2032-02-29T13:20:00Z',
		timeZone: 'Pacific/Kiritimati',
		locale: 'tr_TR.UTF-8',
		hasStories: true,
	},
	/** 20 s before 02:00 becomes 03:00; a locale with digits and a decimal sign of its own. */
	'summer-time': {
		startsAt: '2027-03-14T06:59:40Z',
		timeZone: 'America/New_York',
		locale: 'ar_EG.UTF-8',
		hasStories: false,
	},
	/** 20 s before another year, in a zone of half hours; a locale that counts its years from another one. */
	'new-year': {
		startsAt: '2029-12-31T18:29:40Z',
		timeZone: 'Asia/Kolkata',
		locale: 'th_TH.UTF-8',
		hasStories: false,
	},
};

/** What a clock, a zone or a locale can change: what is shown, read, compared and signed. */
const CLOCK_PARTS: readonly string[] = [
	'test/unit/commands/',
	'test/unit/contract/',
	'test/unit/monitor/',
	'test/unit/ui/',
	'test/live/history-alerts.test.ts',
	'test/live/session.test.ts',
	'test/unit/trading/ledgers.test.ts',
	'test/unit/trading/perp.test.ts',
	'test/ui/features.test.tsx',
	'test/ui/labels.test.tsx',
	'test/ui/pictures.test.tsx',
	'test/ui/recording.test.tsx',
	'test/client/wire/',
	'test/service/replay/replay.test.ts',
];
const CLOCK_STORIES: readonly string[] = [
	'test/e2e/cli-feed.test.ts',
	'test/e2e/plain.test.ts',
	'test/e2e/replay.test.ts',
	'test/e2e/watch.test.ts',
	// Waits for seconds, by the clock alone: zone and language are nothing to it.
	'test/unit/trading/private-files.test.ts',
];

/** The files that run on a day beside today. */
export function clockTests({hasStories}: TestClock): readonly string[] {
	return hasStories ? [...CLOCK_PARTS, ...CLOCK_STORIES] : CLOCK_PARTS;
}

/** The environment of a run under a clock. @param root the folder of the project */
export function clockEnvironment({startsAt, timeZone, locale}: TestClock, root: string): Record<string, string> {
	return {
		NODE_OPTIONS: `--import=${new URL('test/helpers/shifted-clock.ts', `file://${root}/`).href}`,
		PULSETOP_TEST_CLOCK: String(Date.parse(startsAt) - Date.now()),
		TZ: timeZone,
		LANG: locale,
	};
}
