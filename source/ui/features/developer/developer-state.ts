import type {TokenList} from '../../screens/token-list.ts';

export const DEVELOPER_SORTS = ['age', 'mcap', 'volume', 'holders'] as const;
export type DeveloperSort = (typeof DEVELOPER_SORTS)[number];

/** The tokens of one deployer. */
export interface DeveloperState extends TokenList<DeveloperSort> {
	/** Whose tokens, and the token that led here. */
	readonly of?: {readonly deployer: string; readonly key: string; readonly symbol: string};
	/** How many there are in all, when the service said so. */
	readonly total?: number;
}

export const NO_DEVELOPER: DeveloperState = {rows: new Map(), order: [], sort: 'age', isReversed: false};
