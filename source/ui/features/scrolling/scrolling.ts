import {topMode} from '../../../monitor/state.ts';
import {type Context, feature, type ScrollStep} from '../../feature.ts';
import type {ModeTraits} from '../../keymap/binding.ts';

function createScrollActions({store, specOf}: Context) {
	return {
		scroll: (step: ScrollStep) => {
			const mode = topMode(store.get());
			const {spec, actions} = specOf(mode.kind);
			spec.scroll?.(step, actions);
		},
	};
}

const SCROLLED = ({scroll}: ModeTraits): boolean => scroll !== undefined;

/** The keys of everything that is scrolled: pages, lists beside the columns, the help, the explanation of a token. */
export const scrolling = feature({
	name: 'scrolling',
	actions: createScrollActions,
	bindings: [
		{
			id: 'board.down',
			keys: ['j', 'down'],
			modes: SCROLLED,
			group: 'Screens',
			label: 'down',
			help: 'Next line.',
			run: a => a.scroll({lines: 1}),
		},
		{
			id: 'board.up',
			keys: ['k', 'up'],
			modes: SCROLLED,
			group: 'Screens',
			label: 'up',
			help: 'Previous line.',
			run: a => a.scroll({lines: -1}),
		},
		{
			id: 'board.pageDown',
			keys: ['pgdn', 'space', 'ctrl+d', 'ctrl+f'],
			modes: SCROLLED,
			group: 'Screens',
			label: 'page down',
			help: 'One screen down.',
			hint: 8,
			hintWhen: (s, {canScroll}, keys) => canScroll?.(s, keys) ?? true,
			run: a => a.scroll({pages: 1}),
		},
		{
			id: 'board.pageUp',
			keys: ['pgup', 'ctrl+u', 'ctrl+b'],
			modes: SCROLLED,
			group: 'Screens',
			label: 'page up',
			help: 'One screen up.',
			hint: 9,
			// A page says when there is something above.
			hintWhen: s => s.hints !== undefined,
			run: a => a.scroll({pages: -1}),
		},
		{
			id: 'board.first',
			keys: ['g', 'home'],
			modes: SCROLLED,
			group: 'Screens',
			label: 'first',
			help: 'First line.',
			run: a => a.scroll({to: 'first'}),
		},
		{
			id: 'board.last',
			keys: ['G', 'end'],
			modes: SCROLLED,
			group: 'Screens',
			label: 'last',
			help: 'Last line.',
			run: a => a.scroll({to: 'last'}),
		},
	],
});
