import type {SolanaNode} from '../../../rpc/solana/node.ts';
import {readStates} from './resync.ts';
import type {BookResult, Caught, FollowedToken, TokenBook} from './token-book.ts';
import {LAUNCH_LAB} from './venues/launch-lab.ts';
import {METEORA_DBC} from './venues/meteora-dbc.ts';

/** Tokens that are read together: as many accounts as a node gives in one answer. */
const AT_ONCE = 100;
/** Number of attempts to read a token whose account is missing, or of a slot that can no longer be compared. */
const TRIES = 4;

/** A transaction that no node gives. */
export interface Loss {
	readonly slot: number;
	/** Its slot is not older than the first and not newer than the second. */
	readonly fromMs: number;
	readonly toMs: number;
}

interface Suspect {
	readonly loss: Loss;
	readonly tries: number;
}

/**
 * Finds the tokens of a transaction that no node gives: tokens whose accounts differ from the state that was read up to the same
 * slot. The figures of that time become unknown for these tokens, all other figures stay. A token whose account cannot be
 * compared counts as different.
 */
export class StateCheck {
	readonly #book: TokenBook;
	/** Tokens whose accounts are still to be read, by mint. */
	readonly #suspects = new Map<string, Suspect>();
	/** Accounts that are compared when their slot is read. */
	#caught: {readonly caught: Caught; readonly suspect: Suspect}[] = [];
	#unreadable: {readonly mint: string; readonly suspect: Suspect}[] = [];
	#isReading = false;
	/** Grows when pending reads become obsolete. */
	#round = 0;

	constructor(book: TokenBook) {
		this.#book = book;
	}

	/** Suspects all tokens; those that traded last are looked at first. */
	lost(loss: Loss): void {
		for (const token of [...this.#book.tokens()].sort((a, b) => b.tradedMs - a.tradedMs)) {
			// Told otherwise when a transaction of its own is missing.
			if (token.venue === METEORA_DBC.id) continue;
			// Its pools are not followed: it has no figures that could be wrong.
			if (token.venue === LAUNCH_LAB.id && token.pool !== null) continue;
			const earlier = this.#suspects.get(token.mint)?.loss.fromMs ?? loss.fromMs;
			this.#suspects.set(token.mint, {loss: {...loss, fromMs: Math.min(earlier, loss.fromMs)}, tries: 0});
		}
	}

	/** Suspects none any more: all is unknown anyway, or read again. */
	clear(): void {
		this.#suspects.clear();
		this.#caught = [];
		this.#unreadable = [];
		this.#round++;
	}

	/** Reads accounts of suspects while the node has room for it. @throws NodeRefused, NodeUnanswered, NodeAnswerWrong */
	async read(node: SolanaNode): Promise<void> {
		if (this.#isReading) return;
		this.#isReading = true;
		try {
			while (this.#suspects.size > 0 && !node.isBusy('getMultipleAccounts')) await this.#readSome(node);
		} finally {
			this.#isReading = false;
		}
	}

	async #readSome(node: SolanaNode): Promise<void> {
		const round = this.#round;
		const some = [...this.#suspects].slice(0, AT_ONCE);
		const tokens = some.flatMap(([mint]) => this.#book.token(mint) ?? []);
		let caught: readonly Caught[];
		try {
			caught = await readStates(node, tokens);
		} catch (error) {
			if (round === this.#round) for (const [mint, suspect] of some) this.#again(mint, suspect);
			throw error;
		}
		const states = new Map(caught.map(each => [each.token.mint, each]));
		if (round !== this.#round) return;
		for (const [mint, suspect] of some) {
			// Suspected again meanwhile, for a later transaction.
			if (this.#suspects.get(mint) !== suspect) continue;
			this.#suspects.delete(mint);
			const state = states.get(mint);
			if (state) this.#caught.push({caught: state, suspect});
			else this.#unreadable.push({mint, suspect});
		}
	}

	/** Reads the accounts of a token once more, unless it was suspected again meanwhile or there were enough tries. */
	#again(mint: string, suspect: Suspect): void {
		const newer = this.#suspects.get(mint);
		if (newer !== undefined && newer !== suspect) return;
		const {loss, tries} = suspect;
		this.#suspects.delete(mint);
		if (tries + 1 < TRIES) this.#suspects.set(mint, {loss, tries: tries + 1});
		else this.#unreadable.push({mint, suspect});
	}

	/**
	 * Compares accounts with what was read up to a slot.
	 * @returns for the tokens that differ: the gap, and what they hold
	 */
	settle(slot: number, timeMs: number): readonly BookResult[] {
		const due = this.#caught.filter(({caught}) => caught.slot <= slot);
		if (due.length === 0 && this.#unreadable.length === 0) return [];
		this.#caught = this.#caught.filter(({caught}) => caught.slot > slot);
		const results = due.flatMap(({caught, suspect}) => this.#compare(caught, suspect, {slot, timeMs}));
		for (const {mint, suspect} of this.#unreadable.splice(0)) {
			const token = this.#book.token(mint);
			if (token) results.push(this.#book.gap(token, suspect.loss, slot));
		}
		return results;
	}

	#compare(caught: Caught, suspect: Suspect, at: {readonly slot: number; readonly timeMs: number}): BookResult[] {
		const {loss} = suspect;
		const token = this.#book.token(caught.token.mint);
		if (token === undefined) return [];
		// The account is of a time before the transaction, or the token has changed since.
		if (caught.slot < loss.slot || token.changedSlot > caught.slot) {
			this.#again(token.mint, suspect);
			return [];
		}
		if (isSame(token, caught)) return [];
		return [this.#book.gap(token, loss, at.slot), this.#book.caughtUp(caught, at)];
	}
}

function isSame(token: FollowedToken, {place, holds}: Caught): boolean {
	return (token.pool ?? token.curve) === place && token.left === holds.left;
}
