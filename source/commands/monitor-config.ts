import type {Config} from '../config.ts';
import {ConfigError} from '../config-error.ts';
import {findField} from '../contract/fields.ts';
import {isSortable} from '../contract/sort.ts';
import {parseFilterLine} from '../monitor/filter-line.ts';
import {VIEWS} from '../monitor/state.ts';

/**
 * Refuses a column's filter or sort that means nothing, before anything is drawn: a filter that is quietly left out would
 * show tokens that were not asked for.
 * @throws ConfigError that names the setting and the place of the mistake
 */
export function checkColumns({columns}: Pick<Config, 'columns'>): void {
	for (const view of VIEWS) {
		const {filter, sort} = columns[view];
		const line = filter === undefined ? undefined : parseFilterLine(filter);
		if (line && !line.ok) {
			const [{start, message}] = line.errors as [(typeof line.errors)[number]];
			throw new ConfigError(`columns.${view}.filter can't be read`, `at character ${start + 1}: ${message}`);
		}
		const [word = '', direction = 'desc', ...more] = sort?.trim().split(/\s+/) ?? [];
		const field = findField(word);
		const isKnown = sort === undefined || (field !== undefined && isSortable(field));
		if (!isKnown || more.length > 0 || !['asc', 'desc'].includes(direction)) {
			throw new ConfigError(
				`columns.${view}.sort can't be read`,
				'write a figure or a date and a direction: "volume_1h desc"',
			);
		}
	}
}
