import type {Detail} from '../../monitor/state.ts';
import type {ViewModel} from '../view-model.ts';

/** What each section of the detail pane gets. It gives lines of at most `width` cells. */
export interface SectionProps {
	readonly model: ViewModel;
	readonly detail: Detail;
	readonly width: number;
}
