import {getOrInsert} from '../../../get-or-insert.ts';
import type {LogsOfTransaction} from './log-stream.ts';
import {type Transaction, transactionOf} from './transaction.ts';

/** Transactions of one slot, in the order of the chain. */
export interface ClosedSlot {
	readonly slot: number;
	readonly transactions: readonly Transaction[];
}

interface OpenSlot {
	/** Transactions as they came. */
	readonly byProgram: Map<string, Transaction[]>;
	newestMs: number;
}

/** Time after the next slot is seen in which a slot may still get transactions, from nodes behind a load balancer. */
const LATE_MS = 400;
/** Without any further slot. */
const QUIET_MS = 2000;
/** Number of slots whose signatures are remembered, so that a repeated one is not counted again. */
const REMEMBERED_SLOTS = 64;

/**
 * Puts the notifications of several subscriptions into the order of the chain. Each subscription has the order of its own
 * program; a transaction of two programs comes twice, counts once, and ties both orders together.
 */
export class SlotQueue {
	readonly #open = new Map<number, OpenSlot>();
	/** By slot and signature; undefined stands for a failed one. */
	readonly #seen = new Map<number, Map<string, Transaction | undefined>>();
	readonly #programs: readonly string[];
	readonly #from: number;
	#newest = -1;
	#closedTo: number;
	/** Transactions that came after their slot was closed; they count in the slot that is open. */
	late = 0;

	/** @param from the first slot that counts: what is older was not seen whole */
	constructor(programs: readonly string[], from: number) {
		this.#programs = programs;
		this.#closedTo = from - 1;
		this.#from = from;
	}

	/** The last slot that was closed. */
	get closedTo(): number {
		return this.#closedTo;
	}

	/** No slot waits to be closed. */
	get isEmpty(): boolean {
		return this.#open.size === 0;
	}

	add(logs: LogsOfTransaction, nowMs: number): void {
		if (logs.slot < this.#from) return;
		const seen = this.#seenIn(logs.slot);
		const known = seen.get(logs.signature);
		const isKnown = seen.has(logs.signature);
		const transaction = isKnown ? known : logs.isFailed ? undefined : transactionOf(logs);
		if (!isKnown) seen.set(logs.signature, transaction);
		let {slot} = logs;
		if (slot <= this.#closedTo) {
			if (isKnown || transaction === undefined) return;
			this.late++;
			slot = this.#closedTo + 1;
		}
		this.#newest = Math.max(this.#newest, slot);
		const open = this.#openSlot(slot);
		open.newestMs = nowMs;
		if (transaction === undefined) return;
		const list = open.byProgram.get(logs.program) ?? [];
		open.byProgram.set(logs.program, list);
		if (!(isKnown && list.includes(transaction))) list.push(transaction);
	}

	/** Closes the slots that are complete: two slots on, or one and a moment, or after a silence. */
	takeClosed(nowMs: number): readonly ClosedSlot[] {
		const closed: ClosedSlot[] = [];
		for (const slot of [...this.#open.keys()].sort((a, b) => a - b)) {
			const quietMs = nowMs - this.#open.get(slot)!.newestMs;
			const behind = this.#newest - slot;
			if (behind < 2 && !(behind === 1 && quietMs >= LATE_MS) && quietMs < QUIET_MS) break;
			closed.push(this.#close(slot));
		}
		return closed;
	}

	#close(slot: number): ClosedSlot {
		const {byProgram} = this.#open.get(slot)!;
		this.#open.delete(slot);
		this.#closedTo = Math.max(this.#closedTo, slot);
		for (const old of this.#seen.keys()) if (old <= slot - REMEMBERED_SLOTS) this.#seen.delete(old);
		return {slot, transactions: merge(this.#programs.map(program => byProgram.get(program) ?? []))};
	}

	#openSlot(slot: number): OpenSlot {
		return getOrInsert(this.#open, slot, () => ({byProgram: new Map(), newestMs: 0}));
	}

	#seenIn(slot: number): Map<string, Transaction | undefined> {
		return getOrInsert(this.#seen, slot, () => new Map());
	}
}

/** Several orders as one that agrees with all of them, each element once. */
export function merge<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
	const taken = new Set<Item>();
	const merged: Item[] = [];
	const owners = new Map<Item, {readonly list: number; readonly at: number}[]>();
	for (const [list, items] of lists.entries()) {
		for (const [at, item] of items.entries()) {
			const places = owners.get(item) ?? [];
			places.push({list, at});
			owners.set(item, places);
		}
	}
	const next = lists.map(() => 0);
	/** Takes a list up to a place; what stands before a shared element in any list comes first. */
	const takeTo = (list: number, to: number, depth: number): void => {
		while (next[list]! <= to) {
			const item = lists[list]![next[list]!++]!;
			if (taken.has(item)) continue;
			taken.add(item);
			// Orders that contradict each other have no answer; the depth ends the search for one.
			if (depth < lists.length) {
				for (const place of owners.get(item)!) {
					if (place.list !== list) takeTo(place.list, place.at - 1, depth + 1);
				}
			}
			merged.push(item);
		}
	};
	for (const [list, items] of lists.entries()) takeTo(list, items.length - 1, 0);
	return merged;
}
