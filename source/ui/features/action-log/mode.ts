import type {Explanation} from '../../../errors.ts';
import type {ModeOf} from '../../../monitor/mode.ts';

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

declare module '../../../monitor/mode.ts' {
	interface Modes {
		/** The journal at the time the window opened, newest first. */
		readonly actionLog: {
			readonly lines: readonly LogLine[];
			/** Why it could not be read. */
			readonly problem?: Explanation;
			readonly isPractice: boolean;
			/** Only the records of this wallet; all without. */
			readonly wallet?: string;
			/** Lines. */
			readonly scroll: number;
		};
	}
}

export type ActionLogMode = ModeOf<'actionLog'>;
