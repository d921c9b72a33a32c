import type {Scope} from '../../../monitor/columns/scope.ts';

interface ScopeMenu {
	readonly index: number;
	/** What was chosen when the menu opened. */
	readonly before: Scope;
}

declare module '../../../monitor/mode.ts' {
	interface Modes {
		readonly chains: ScopeMenu;
		readonly launchpads: ScopeMenu;
	}
}
