import type {Column} from '../../../monitor/columns/column.ts';
import {isRowCell, ROW_CELLS, rowFigure} from '../../../monitor/columns/row-fields.ts';
import type {ModeOf} from '../../../monitor/mode.ts';
import {focused} from '../../../monitor/select.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import {shownFields} from '../../cell-layout.ts';
import type {MenuItem} from '../../feature.ts';
import {narrowed} from '../menu/narrowing.ts';

/** The lines of the menu, as they are narrowed. */
export function rowFieldItems({narrow = ''}: ModeOf<'fields'>, state: MonitorState): readonly MenuItem[] {
	return narrowed(fieldItems(focused(state)), narrow, ({id, label}) => `${id} ${label}`);
}

/** The cells that the rows show, in order, then those that they could show. */
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
