import type {ShownViews} from '../../../monitor/columns/shown-views.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		/** The shown columns are chosen; `before` are the earlier ones. */
		readonly columns: {readonly index: number; readonly before: ShownViews};
	}
}
