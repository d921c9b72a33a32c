import type {FieldName} from '../contract/fields.ts';
import {FIELD_WORDS} from '../monitor/field-words.ts';
import type {Mode, MonitorState} from '../monitor/state.ts';
import {fuzzyFilter} from './fuzzy.ts';
import {type Binding, keymap, keyWord} from './keymap.ts';
import {THEME_NAMES, THEMES} from './theme.ts';

/** One line of a menu. */
export interface MenuItem {
	readonly id: string;
	readonly label: string;
	/** At the right, dim. */
	readonly note: string;
	readonly isCurrent?: boolean;
	readonly disabled?: string;
}

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

/** The actions that the palette offers: what can be done in the list. */
export const PALETTE: readonly Binding[] = keymap.filter(
	binding =>
		(binding.modes.includes('list') || binding.modes.includes('detail')) &&
		binding.id !== 'palette.open' &&
		binding.id !== 'program.interrupt',
);

/** The lines of the menu that a mode shows, already narrowed by what was typed. */
export function menuItems(mode: Mode, state: MonitorState, ascii: boolean): readonly MenuItem[] {
	switch (mode.kind) {
		case 'sort': {
			const {sortBy, sortOrder} = state.columns[state.focus];
			return fuzzyFilter(SORT_CHOICES, mode.query.text, c => `${c.word} ${c.label} ${c.field}`).map(choice => ({
				id: choice.field,
				label: choice.label,
				note: choice.word,
				isCurrent: choice.field === sortBy,
				...(choice.field === sortBy && {
					note: `${choice.word}, ${sortOrder === 'desc' ? 'largest first' : 'smallest first'}`,
				}),
			}));
		}
		case 'palette':
			return fuzzyFilter(PALETTE, mode.edit.text, b => `${b.label} ${b.help} ${b.id}`).map(binding => {
				const disabled = binding.disabled?.(state) ?? (binding.danger && state.readOnly ? 'read-only mode' : undefined);
				return {
					id: binding.id,
					label: binding.help,
					note: binding.keys.map(key => keyWord(key, ascii)).join(' '),
					...(disabled !== undefined && {disabled}),
				};
			});
		case 'themes':
			return THEME_NAMES.map(name => ({
				id: name,
				label: THEMES[name].label,
				note: name,
				isCurrent: name === mode.before,
			}));
		case 'hidden':
			return [...state.hidden]
				.reverse()
				.map(([key, symbol]) => ({id: key, label: symbol, note: key.slice(key.indexOf('|') + 1)}));
		default:
			return [];
	}
}
