import {type FieldName, fieldOf} from '../contract/fields.ts';
import type {SortOrder} from '../contract/sort.ts';
import {FIELD_WORDS} from '../monitor/field-words.ts';

/** Everything that a column can be sorted by, the usual ones first. */
export const SORT_CHOICES: readonly {readonly field: FieldName; readonly word: string; readonly label: string}[] =
	(() => {
		const usual: readonly FieldName[] = [
			'created_at',
			'market_cap',
			'volume_1h',
			'latest_trade_date',
			'price_change_1h',
			'price_change_24h',
			'trades_1h',
			'trades_24h',
			'liquidity',
			'holders_count',
			'bonding_percentage',
			'fees_paid_1h',
		];
		const all = FIELD_WORDS.flatMap(({sortBy, word, label}) =>
			sortBy === undefined ? [] : [{field: sortBy, word, label}],
		);
		const seen = new Set<FieldName>();
		const rank = (field: FieldName): number => (usual.includes(field) ? usual.indexOf(field) : usual.length);
		return all.filter(({field}) => !seen.has(field) && seen.add(field)).sort((a, b) => rank(a.field) - rank(b.field));
	})();

/** Which end of a column comes first: `newest first`, `smallest first`. */
export function orderWords(field: FieldName, order: SortOrder): string {
	if (fieldOf(field).kind === 'date') return order === 'desc' ? 'newest first' : 'oldest first';
	return order === 'desc' ? 'largest first' : 'smallest first';
}
