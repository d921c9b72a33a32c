import {type Explanation, explain} from '../../errors.ts';
import type {ReadAmountsOptions} from './amounts.ts';
import {type Holdings, type PositionSource, readHoldings} from './open-positions.ts';

/** Where positions are read, and whether they have to be read again. */
export interface BookSource extends PositionSource {
	/** Bytes of the journal: another number means that something was written, by any process. Cheap. */
	readonly journalSize: () => number;
}

export interface BookState {
	/** As read last; undefined before the first reading. */
	readonly read?: Holdings;
	/** When that was, local Unix ms. */
	readonly readAtMs?: number;
	/** Why the last reading failed. */
	readonly problem?: Explanation;
}

/** The positions of a journal for all that shows them: read together, once for everybody who asks at a time. */
export interface PositionBook {
	get(): BookState;
	/** Calls back after each reading. @returns the unsubscribe */
	subscribe(listener: () => void): () => void;
	/** Whether the journal was written to since the last reading. */
	isOld(): boolean;
	/** Reads journal and chains again; while a reading is under way, after it. Never rejects. */
	refresh(options?: ReadAmountsOptions): Promise<void>;
}

/** Opens the positions of a journal; nothing is read by that. */
export function openBook(source: BookSource): PositionBook {
	const listeners = new Set<() => void>();
	let state: BookState = {};
	let size: number | undefined;
	/** The last of the readings that wait for each other. */
	let last: Promise<void> | undefined;
	/** A reading that has not begun yet serves everybody who asks until then. */
	let next: {readonly options: ReadAmountsOptions[]; readonly done: Promise<void>} | undefined;

	async function read(options: readonly ReadAmountsOptions[]): Promise<void> {
		try {
			size = source.journalSize();
			const startsChain = (chainId: string) => options.some(({startsChain: of = () => true}) => of(chainId));
			const found = await readHoldings(source, {startsChain});
			state = {read: found, readAtMs: source.nowMs()};
		} catch (error) {
			state = {...state, problem: explain(error)};
		}
		for (const listener of [...listeners]) listener();
	}

	return {
		get: () => state,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		isOld: () => size !== source.journalSize(),
		refresh(options = {}) {
			if (next) {
				next.options.push(options);
				return next.done;
			}
			const asked = [options];
			const done = (last ?? Promise.resolve()).then(() => {
				next = undefined;
				return read(asked);
			});
			next = {options: asked, done};
			last = done;
			return done;
		},
	};
}
