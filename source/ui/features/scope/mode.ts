import type {Scope} from '../../../monitor/columns/scope.ts';

interface ScopeMenu {
	readonly index: number;
	/** The choice when the menu opened, which Esc restores. */
	readonly before: Scope;
}

declare module '../../../monitor/mode.ts' {
	interface Modes {
		readonly chains: ScopeMenu;
		readonly launchpads: ScopeMenu;
	}
}
