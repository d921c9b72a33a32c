import type {ViewName} from '../views.ts';

/** One clause of a column, and the value of the token. */
export interface WhyClause {
	/** As typed in the filter line; a clause of the view itself has its text from STAGE_TEXTS. */
	readonly text: string;
	readonly passed: boolean;
	readonly actual: string;
	/** Applied here, to the rows loaded, because the service does not filter. */
	readonly isLocal?: boolean;
}

/**
 * Whether a column shows a token, and if not, why.
 * - shown: it is on screen or can be scrolled to
 * - frozen: it waits behind the frozen order, or left and stays only because the order is frozen
 * - elsewhere: it stands in another column (shown-keys.ts)
 * - hidden: by hand or by the quick search
 * - out: a clause keeps it out
 * - beyond: it passes everything, but the column is full of tokens that come before it
 * - unlisted: it passes every known clause, and the service does not list it
 */
export type WhyVerdict = 'shown' | 'elsewhere' | 'frozen' | 'hidden' | 'out' | 'beyond' | 'unlisted';

export interface WhyColumn {
	readonly view: ViewName;
	readonly verdict: WhyVerdict;
	/** The verdict for a person: `#3 of 50`. */
	readonly text: string;
	/** The advice, actions in braces. */
	readonly hint?: string;
	readonly clauses: readonly WhyClause[];
}
