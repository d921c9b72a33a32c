import type {ShownViews} from '../../../monitor/columns/shown-views.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		/** Which columns are shown is chosen; `before` is what was shown. */
		readonly columns: {readonly index: number; readonly before: ShownViews};
	}
}
