import {ruleText} from '../monitor/alerts/alert-rules.ts';
import {isRowCell, ROW_CELLS, rowFigure} from '../monitor/columns/row-fields.ts';
import type {NarrowableMenu} from '../monitor/comfort-modes.ts';
import {urlText} from '../monitor/links/safe-url.ts';
import {activeSlot, savedViewSummary} from '../monitor/saved-views/saved-view.ts';
import {focused} from '../monitor/select.ts';
import type {Column, Mode, MonitorState} from '../monitor/state.ts';
import {padEnd, truncate} from '../text.ts';
import {shownFields} from './cell-layout.ts';
import {columnItems} from './features/columns/column-items.ts';
import {hiddenItems} from './features/hides/hide-items.ts';
import {scopeItems} from './features/scope/scope-items.ts';
import {confirmItems} from './features/user-commands/command-actions.ts';
import {clock} from './format.ts';
import {fuzzyFilter} from './fuzzy.ts';
import {narrowed, shownSlots} from './narrowing.ts';
import {paletteItems} from './palette.ts';
import {orderWords, sortChoices} from './sort-choices.ts';
import {THEME_NAMES, THEMES} from './theme.ts';

/** One line of a menu. */
export interface MenuItem {
	readonly id: string;
	readonly label: string;
	/** At the right, dim. */
	readonly note: string;
	readonly isCurrent?: boolean;
	readonly disabled?: string;
	/** A line of the palette that this stands for, and whether it can be run as it is. */
	readonly line?: string;
	readonly isReady?: boolean;
	/** One sentence, shown for the marked line. */
	readonly help?: string;
}

/** The lines of the menu that a mode shows, already narrowed by what was typed. */
export function menuItems(mode: Mode, state: MonitorState, ascii: boolean): readonly MenuItem[] {
	switch (mode.kind) {
		case 'sort': {
			const {sortBy, sortOrder, window} = state.columns[state.focus];
			return fuzzyFilter(sortChoices(window), mode.query.text, c => `${c.word} ${c.label} ${c.field}`).map(choice => ({
				id: choice.field,
				label: choice.label,
				note: choice.word,
				isCurrent: choice.field === sortBy,
				...(choice.field === sortBy && {
					note: `${choice.word}, ${orderWords(sortBy, sortOrder)}`,
				}),
			}));
		}
		case 'palette':
			return paletteItems(mode.edit.text, state, ascii);
		case 'themes':
			return THEME_NAMES.map(name => ({
				id: name,
				label: THEMES[name].label,
				note: name,
				isCurrent: name === mode.before,
			}));
		case 'presets':
			return shownSlots(mode, state).map(slot => {
				const savedView = state.savedViews.get(slot);
				return {
					id: String(slot),
					label: `${slot}  ${savedView?.name ?? (ascii ? '-' : '–')}`,
					note: savedView ? savedViewSummary(savedView) : 'empty',
					isCurrent: activeSlot(state) === slot,
				};
			});
		case 'alerts':
			return alertItems(state);
		case 'links':
			return mode.links.map(({name, text, url}, at) => ({
				id: String(at),
				label: `${padEnd(truncate(name, 12), 13)}${url.ok ? urlText(url) : truncate(text, 60)}`,
				note: url.ok ? '' : 'not opened',
				...(!url.ok && {disabled: url.why}),
			}));
		case 'fields':
			return narrowed(fieldItems(focused(state)), mode.narrow ?? '', ({id, label}) => `${id} ${label}`);
		case 'menuNarrow':
			return menuItems(narrowedMenu(mode), state, ascii);
		case 'chains':
		case 'launchpads':
			return scopeItems(mode.kind, state);
		case 'columns':
			return columnItems(state);
		case 'commandConfirm':
			return confirmItems(mode);
		case 'hidden':
			return hiddenItems(state);
		default:
			return [];
	}
}

/** The menu in which words are typed, as they narrow it. */
export function narrowedMenu({menu, edit, index}: Extract<Mode, {kind: 'menuNarrow'}>): NarrowableMenu {
	return {...menu, narrow: edit.text, index};
}

/** What the rows show, in its order, then the cells that they could show. */
function fieldItems(column: Column): readonly MenuItem[] {
	const shown = shownFields(column);
	const others = Object.keys(ROW_CELLS).filter(name => !shown.includes(name));
	return [...shown, ...others].map(name => ({
		id: name,
		label: isRowCell(name) ? ROW_CELLS[name] : (rowFigure(name)?.help ?? name),
		note: shown.includes(name) ? name : `${name} (off)`,
		isCurrent: shown.includes(name),
	}));
}

/** Rules first, then the alerts that came, the newest first. The id is the place in that list. */
function alertItems({alerts: {rules, recent}}: MonitorState): readonly MenuItem[] {
	const lines = [
		...rules.map(rule => ({
			label: `rule  ${ruleText(rule)}`,
			note: `${rule.isOff ? 'off' : 'on'}${rule.isConfigured ? ', from the configuration' : ''}`,
			isCurrent: !rule.isOff,
		})),
		...recent.map(({symbol, view, rule, atMs}) => ({label: `${clock(atMs)}  ${symbol} in ${view}`, note: rule})),
	];
	return lines.map((line, at) => ({id: String(at), ...line}));
}
