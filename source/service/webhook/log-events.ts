import {entryKey} from '../../contract/entry.ts';
import {TakenBack} from '../follow/taken-back.ts';
import type {MarketEvent} from '../market/events.ts';
import type {Market} from '../market/market.ts';
import type {LogEntry} from '../replicas/log-entry.ts';
import {EventBodies} from './event-bodies.ts';
import type {Deliverable} from './event-forms.ts';

/** An event of a log entry, in one of its forms. */
export interface LoggedEvent {
	/** Of the market event in its entry. */
	readonly index: number;
	readonly deliverable: Deliverable;
}

/** Events of a chain that are remembered in case their blocks are taken back. */
const RECENT_EVENTS = 5000;

type BlockEvent = Extract<MarketEvent, {readonly block: number}>;

/**
 * Reads the entries of the market log as events that webhooks are sent. The log says what happened in which order; the market,
 * which is at these entries or further, what its tokens are.
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

	/** The events of the next entry. */
	read({record, atMs}: LogEntry): LoggedEvent[] {
		if (record.kind === 'take-back') this.#takeBack(record.chainId, record.fromBlock, atMs);
		if (record.kind !== 'batch') return [];
		const logged: LoggedEvent[] = [];
		const recent = this.#recentOf(record.batch.chainId);
		for (const [index, event] of record.batch.events.entries()) {
			if ('block' in event) recent.push(event);
			// What returns after a reorganisation is no news.
			if (this.#takenBack.returns(event) || this.#isRepeated(event)) continue;
			this.#bodies.notice(event);
			for (const deliverable of this.#bodies.write(event)) logged.push({index, deliverable});
		}
		recent.splice(0, recent.length - RECENT_EVENTS);
		this.#bodies.forget();
		return logged;
	}

	#takeBack(chainId: string, fromBlock: number, atMs: number): void {
		const recent = this.#recentOf(chainId);
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

	#recentOf(chainId: string): BlockEvent[] {
		const known = this.#recent.get(chainId);
		if (known) return known;
		const events: BlockEvent[] = [];
		this.#recent.set(chainId, events);
		return events;
	}
}
