import type {MonitorState} from '../state.ts';
import type {ViewName} from '../views.ts';

/**
 * Whether a column is read from the service: the phases always, TRENDING only while the column is shown or an alert rule needs
 * it.
 */
export function isFollowed({shownViews, alerts}: Pick<MonitorState, 'shownViews' | 'alerts'>, view: ViewName): boolean {
	if (view !== 'trending' || shownViews.includes(view)) return true;
	return alerts.rules.some(({where, isOff}) => where === view && !isOff);
}
