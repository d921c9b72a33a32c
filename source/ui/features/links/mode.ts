import type {TokenLink} from '../../../monitor/links/token-links.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		/** The pages of the token that was under the cursor when the menu opened. */
		readonly links: {readonly links: readonly TokenLink[]; readonly index: number};
	}
}
