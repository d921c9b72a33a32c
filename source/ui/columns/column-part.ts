import type {ViewName} from '../../monitor/views.ts';
import type {ViewModel} from '../view-model.ts';

/** Props of each part of a column. */
export interface ColumnPartProps {
	readonly model: ViewModel;
	readonly view: ViewName;
}
