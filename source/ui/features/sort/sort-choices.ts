import {type FieldName, fieldOf} from '../../../contract/fields.ts';
import type {SortOrder} from '../../../contract/sort.ts';
import type {Window8} from '../../../contract/windows.ts';
import {FIELD_WORDS} from '../../../monitor/filter/field-words.ts';

/** One figure to sort by. */
export interface SortChoice {
	readonly field: FieldName;
	readonly word: string;
	readonly label: string;
}

/** The fields that are offered first; figures of a window are those that the column shows. */
function firstFields(window: Window8): readonly string[] {
	const ofChange = window === '15min' ? '5min' : window;
	return [
		'created_at',
		'market_cap',
		`volume_${window}`,
		'latest_trade_date',
		`price_change_${ofChange}`,
		'price_change_24h',
		`trades_${window}`,
		'liquidity',
		'holders_count',
		'bonding_percentage',
		`fees_paid_${window}`,
	];
}

const CHOICES = new Map<Window8, readonly SortChoice[]>();

/** Everything that a column can be sorted by, the default ones first. @param window that the column shows */
export function sortChoices(window: Window8): readonly SortChoice[] {
	const known = CHOICES.get(window);
	if (known) return known;
	const first = firstFields(window);
	const seen = new Set<FieldName>();
	const rank = ({field}: SortChoice): number => (first.includes(field) ? first.indexOf(field) : first.length);
	const choices = FIELD_WORDS.flatMap(({sortBy, word, label}) => {
		if (sortBy === undefined || seen.has(sortBy)) return [];
		seen.add(sortBy);
		return [{field: sortBy, word, label}];
	}).sort((a, b) => rank(a) - rank(b));
	CHOICES.set(window, choices);
	return choices;
}

/** The order of a sort in words: `newest first`, `smallest first`. */
export function orderLabel(field: FieldName, order: SortOrder): string {
	if (fieldOf(field).kind === 'date') return order === 'desc' ? 'newest first' : 'oldest first';
	return order === 'desc' ? 'largest first' : 'smallest first';
}
