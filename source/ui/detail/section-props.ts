import type {Detail} from '../../monitor/state.ts';
import type {ViewModel} from '../view-model.ts';

/** Props of each section of the detail pane. */
export interface SectionProps {
	readonly model: ViewModel;
	readonly detail: Detail;
}
