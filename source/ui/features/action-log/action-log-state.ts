import type {Explanation} from '../../../errors.ts';

/** One record of the journal, for reading. All text is clean. */
export interface LogLine {
	readonly seq: number;
	readonly atMs: number;
	/** `Bridge transfer: status`. */
	readonly what: string;
	/** Amounts, chains, the result, as text. */
	readonly detail: string;
	/** Id of the intent, hash or order that the record is about. */
	readonly about: string;
	/** Address of the wallet, where this or an earlier record about the same names it. */
	readonly wallet?: string;
}

/** The journal at the time it was read, newest first. */
export interface ActionLogState {
	/** Undefined until it is read. */
	readonly lines?: readonly LogLine[];
	/** Why it could not be read. */
	readonly problem?: Explanation;
	/** Only the records of this wallet; all without. */
	readonly wallet?: string;
	/** Lines. */
	readonly scroll: number;
}

export const NO_LOG: ActionLogState = {scroll: 0};

/** The wallets that records name, the latest first. */
export function walletsOf({lines = []}: ActionLogState): readonly string[] {
	return [...new Set(lines.flatMap(({wallet}) => (wallet === undefined ? [] : [wallet])))];
}
