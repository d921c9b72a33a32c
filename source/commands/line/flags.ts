import {durationMs} from '../../duration.ts';
import {UsageError} from './usage-error.ts';

/** The maximum delay of a timer in Node is 24.8 days. */
const MAX_DAYS = 24;
const MAX_MS = MAX_DAYS * 86_400_000;

/** The flags that a command line gave, by name. */
export class Flags {
	readonly #given: ReadonlyMap<string, readonly (string | true)[]>;

	constructor(given: ReadonlyMap<string, readonly (string | true)[]>) {
		this.#given = given;
	}

	/** Whether the flag was given. */
	has(name: string): boolean {
		return this.#given.has(name);
	}

	/** The value given last. */
	text(name: string): string | undefined {
		const last = this.#given.get(name)?.at(-1);
		return last === true ? undefined : last;
	}

	/** Every value, in order. */
	all(name: string): readonly string[] {
		return (this.#given.get(name) ?? []).filter(value => value !== true);
	}

	/**
	 * The value given last, as a whole number.
	 * @throws UsageError when the value is not a number or out of bounds
	 */
	wholeNumber(name: string, {from, to}: {from: number; to: number}): number | undefined {
		const text = this.text(name);
		if (text === undefined) return undefined;
		const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
		if (value >= from && value <= to) return value;
		throw new UsageError(`The value of --${name} can't be used`, `It must be a whole number from ${from} to ${to}.`);
	}

	/**
	 * The value given last, as a number that may have a fraction.
	 * @throws UsageError when the value is not a number or out of bounds
	 */
	number(name: string, {from, to}: {from: number; to: number}): number | undefined {
		const text = this.text(name);
		if (text === undefined) return undefined;
		const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
		if (value >= from && value <= to) return value;
		throw new UsageError(`The value of --${name} can't be used`, `It must be a number from ${from} to ${to}.`);
	}

	/**
	 * The value given last, a length of time as `90s`, `10m`, `1h30m`, in milliseconds.
	 * @throws UsageError when the value is not a length of time
	 */
	duration(name: string): number | undefined {
		const text = this.text(name);
		if (text === undefined) return undefined;
		const ms = durationMs(text);
		if (ms !== undefined && ms <= MAX_MS) return ms;
		throw new UsageError(
			`The value of --${name} can't be used`,
			ms === undefined
				? 'It must be a length of time as 90s, 10m or 1h30m.'
				: `It must be at most ${MAX_DAYS} days: ${MAX_DAYS}d.`,
		);
	}

	/** The value of each flag, all of them where it was given several times, or true, for the configuration. */
	values(): Record<string, string | true | readonly string[]> {
		return Object.fromEntries(
			[...this.#given].map(([name, given]) => [name, given.length > 1 ? this.all(name) : (given[0] ?? true)]),
		);
	}
}
