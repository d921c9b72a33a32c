import type {AlertRule} from '../../../monitor/alerts/alert-rules.ts';
import type {TextEdit} from '../../../monitor/transitions/text-edit.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		/** A rule is typed for a column, or for all. */
		readonly alertRule: {readonly where: AlertRule['where']; readonly edit: TextEdit};
	}
}
