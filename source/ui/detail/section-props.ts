import type {Detail} from '../../monitor/state.ts';
import type {ViewModel} from '../view-model.ts';

/** Props of each section of the detail pane. A section draws lines of at most `width` cells. */
export interface SectionProps {
	readonly model: ViewModel;
	readonly detail: Detail;
	readonly width: number;
}
