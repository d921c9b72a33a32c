import {existsSync, renameSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {addressOfKey, chainOfKey} from '../../contract/entry.ts';
import type {Engine} from '../market/engine.ts';
import type {ChainGap} from '../market/event-source.ts';
import type {LaunchEvent} from '../market/events.ts';
import {ImageUnusable, readImage, writeImage} from '../market/image.ts';
import type {Journal} from './journal.ts';

/** Counted up when the same events give other figures, or when the engine has another state (`test/service/log/market-image.test.ts`). */
export const ENGINE_VERSION = 4;

/** Name of the file in the data directory. */
const FILE = 'follow.image';

/** The inputs, beside the events of its tokens, that the figures of an image follow from. */
interface Circumstances {
	readonly version: number;
	readonly chainIds: readonly string[];
	readonly quotes: readonly LaunchEvent[];
	readonly gaps: readonly (readonly ChainGap[])[];
}

interface Head extends Circumstances {
	/** By key, see Journal.mark. */
	readonly marks: ReadonlyMap<string, string>;
}

export interface MarketImageOptions {
	readonly dataDir: string;
	readonly journal: Journal;
	readonly chainIds: ReadonlySet<string>;
	readonly quotes: readonly LaunchEvent[];
	readonly log: (line: string) => void;
}

/** An engine with the events of tokens as the journal has them. */
export interface RestoredEngine {
	readonly engine: Engine;
	/** Keys of tokens whose events are in the engine, or were dropped by it; the others have to be loaded. */
	readonly known: ReadonlySet<string>;
}

/**
 * The engine of a followed market in a file beside its journal, so that the next start need not compute it from all events again. A
 * cache: whatever does not fit the journal is computed from it.
 */
export class MarketImage {
	readonly #options: MarketImageOptions;
	readonly #path: string;

	constructor(options: MarketImageOptions) {
		this.#options = options;
		this.#path = join(options.dataDir, FILE);
	}

	/**
	 * Reads the image, and takes out of the engine what the journal has changed since.
	 * @param make makes an empty engine
	 * @returns undefined without an image that can be used
	 */
	restore(make: () => Engine): RestoredEngine | undefined {
		if (!existsSync(this.#path)) return undefined;
		const {journal, log} = this.#options;
		try {
			const {engine, marks} = readImage(this.#path, image => {
				const {marks, ...circumstances} = image.value({} as Head);
				if (!isDeepStrictEqual(circumstances, this.#circumstances()))
					throw new ImageUnusable('it is of other chains, or of another version');
				const engine = make();
				engine.pass(image);
				return {engine, marks};
			});
			const known = new Set<string>();
			for (const [key, mark] of marks) {
				if (journal.mark(key) === mark) known.add(key);
				else engine.forget(chainOfKey(key), addressOfKey(key));
			}
			return {engine, known};
		} catch (error) {
			log(`the market of the last run is computed again, since ${FILE} cannot be used: ${(error as Error).message}`);
			return undefined;
		}
	}

	/** Compacts an engine and writes its image. The engine has all events of the journal, and is between two events. Failures are logged: the old one stays. */
	keep(engine: Engine): void {
		const {journal, log, chainIds} = this.#options;
		const path = `${this.#path}.new`;
		try {
			const tokens = [...journal.tokens()].filter(({chainId}) => chainIds.has(chainId));
			// No followed chain reports fundings; an engine keeps those that are taken back.
			if (tokens.some(({kind}) => kind === 'fundings')) return;
			const marks = new Map(tokens.map(({key}) => [key, journal.mark(key) ?? '']));
			engine.compact();
			writeImage(path, image => {
				image.value({...this.#circumstances(), marks} satisfies Head);
				engine.pass(image);
			});
			renameSync(path, this.#path);
		} catch (error) {
			rmSync(path, {force: true});
			log(
				`the next start computes the market from all events, since ${FILE} was not written: ${(error as Error).message}`,
			);
		}
	}

	#circumstances(): Circumstances {
		const {journal, chainIds, quotes} = this.#options;
		const ids = [...chainIds].toSorted();
		return {version: ENGINE_VERSION, chainIds: ids, quotes, gaps: ids.map(chainId => journal.gaps(chainId))};
	}
}
