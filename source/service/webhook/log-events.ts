import {entryKey} from '../../contract/entry.ts';
import {getOrInsert} from '../../get-or-insert.ts';
import type {LogEntry} from '../log/log-entry.ts';
import {TakenBack} from '../log/taken-back.ts';
import type {MarketEvent} from '../market/events.ts';
import type {Market} from '../market/market.ts';
import {EventBodies} from './event-bodies.ts';
import type {Deliverable} from './event-forms.ts';

/** An event of a log entry, in one of its forms. */
export interface LoggedEvent {
	/** Index of the market event in its entry. */
	readonly index: number;
	readonly deliverable: Deliverable;
}

/** Events of a chain that are remembered in case their blocks are taken back. */
const RECENT_EVENTS = 5000;

/** Events are numbered within their blocks from this long before the first one that a webhook gets. */
const NUMBERED_MS = 600_000;

type BlockEvent = Extract<MarketEvent, {readonly block: number}>;

/**
 * Converts entries of the market log to events for webhooks. The log gives the events and their order; the market, which has
 * applied at least these entries, gives the tokens.
 */
export class LogEvents {
	readonly #market: Market;
	readonly #bodies: EventBodies;
	readonly #takenBack = new TakenBack();
	/** The newest events of each chain, oldest first. */
	readonly #recent = new Map<string, BlockEvent[]>();

	constructor(market: Market) {
		this.#market = market;
		this.#bodies = new EventBodies(market, {isBehind: true});
	}

	/**
	 * The events of the next entry.
	 * @param sinceMs events before this time are sent to no webhook: of long before it, only what later ones need is kept
	 */
	read({record, atMs}: LogEntry, sinceMs: number): LoggedEvent[] {
		if (record.kind === 'take-back') this.#takeBack(record.chainId, record.fromBlock, atMs);
		if (record.kind !== 'batch') return [];
		const logged: LoggedEvent[] = [];
		const recent = getOrInsert(this.#recent, record.batch.chainId, () => []);
		for (const [index, event] of record.batch.events.entries()) {
			if ('block' in event) recent.push(event);
			// An event that returns after a reorganisation was sent before.
			if (this.#takenBack.returns(event) || this.#isRepeated(event)) continue;
			this.#bodies.notice(event);
			// The history of a chain has a thousand events in an entry: their bodies would delay requests.
			if (event.timeMs < sinceMs - NUMBERED_MS) continue;
			for (const deliverable of this.#bodies.write(event)) logged.push({index, deliverable});
		}
		recent.splice(0, recent.length - RECENT_EVENTS);
		this.#bodies.forget();
		return logged;
	}

	#takeBack(chainId: string, fromBlock: number, atMs: number): void {
		const recent = this.#recent.get(chainId) ?? [];
		this.#takenBack.remember(
			recent.filter(({block}) => block >= fromBlock),
			atMs,
		);
		this.#recent.set(
			chainId,
			recent.filter(({block}) => block < fromBlock),
		);
		this.#bodies.forgetPools();
	}

	/** A source may see a launch again; the market counts the first. */
	#isRepeated(event: MarketEvent): boolean {
		if (event.type !== 'launch') return false;
		const {table} = this.#market;
		const row = table.rowOf(entryKey(event.chainId, event.token));
		return row !== undefined && table.numbers('created_at')[row]! < event.timeMs;
	}
}
