import {TOUR_STEPS} from '../../../monitor/tour.ts';
import {feature} from '../../feature.ts';
import {BROWSE} from '../../keymap/binding.ts';

/** The first steps of a newcomer, above the hints. */
export const tour = feature({
	name: 'tour',
	actions: ({monitor}) => ({next: () => monitor.nextTour(TOUR_STEPS.length)}),
	bindings: [
		{
			id: 'tour.next',
			keys: [],
			modes: BROWSE,
			group: 'Program',
			label: 'tour',
			title: 'Tour',
			help: 'The tour in three steps: starts it, goes to its next step, ends it.',
			run: a => a.next(),
		},
	],
});
