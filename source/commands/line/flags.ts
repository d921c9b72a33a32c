import {UsageError} from './usage-error.ts';

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
	 * @throws UsageError when it is none or out of bounds
	 */
	wholeNumber(name: string, {from, to}: {from: number; to: number}): number | undefined {
		const text = this.text(name);
		if (text === undefined) return undefined;
		const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
		if (value >= from && value <= to) return value;
		throw new UsageError(`The value of --${name} can't be used`, `It must be a whole number from ${from} to ${to}.`);
	}

	/** As the configuration reads them: the last value of each, or true. */
	values(): Record<string, string | true> {
		return Object.fromEntries([...this.#given].map(([name, given]) => [name, given.at(-1) ?? true]));
	}
}
