import {topMode} from '../../../monitor/state.ts';
import {type Context, feature, type ScrollStep} from '../../feature.ts';
import {isList} from '../../keymap/binding.ts';
import {isFilled, markLine} from '../menu/mark-line.ts';

function createScrollActions(context: Context) {
	return {
		scroll: (step: ScrollStep) => {
			const {spec, actions} = context.specOf(topMode(context.store.get()).kind);
			if (spec.menu) markLine(context, step);
			else spec.scroll?.(step, actions);
		},
	};
}

/** The keys of every list: menus, pages, the help, the explanation of a token. */
export const scrolling = feature({
	name: 'scrolling',
	actions: createScrollActions,
	bindings: [
		{
			id: 'board.down',
			keys: ['j', 'down', 'ctrl+n', 'tab'],
			modes: isList,
			yields: 'toAll',
			group: 'Screens',
			label: 'next',
			help: 'Next line.',
			hint: 10,
			hintWhen: (s, traits) => traits.menu !== undefined && isFilled(s, traits),
			run: (a, n) => a.scroll({lines: n}),
		},
		{
			id: 'board.up',
			keys: ['k', 'up', 'ctrl+p', 'shift+tab'],
			modes: isList,
			yields: 'toAll',
			group: 'Screens',
			label: 'up',
			help: 'Previous line.',
			run: (a, n) => a.scroll({lines: -n}),
		},
		{
			id: 'board.pageDown',
			keys: ['pgdn', 'space', 'ctrl+d', 'ctrl+f'],
			modes: isList,
			yields: 'toAll',
			group: 'Screens',
			label: 'page down',
			help: 'One screen down.',
			hint: 8,
			hintWhen: (s, {menu, canScroll}, keys) => menu === undefined && (canScroll?.(s, keys) ?? true),
			run: (a, n) => a.scroll({pages: n}),
		},
		{
			id: 'board.pageUp',
			keys: ['pgup', 'ctrl+u', 'ctrl+b'],
			modes: isList,
			yields: 'toAll',
			group: 'Screens',
			label: 'page up',
			help: 'One screen up.',
			hint: 9,
			// A page says when there is something above.
			hintWhen: s => s.hints !== undefined,
			run: (a, n) => a.scroll({pages: -n}),
		},
		{
			id: 'board.first',
			keys: ['g', 'home'],
			modes: isList,
			yields: 'toAll',
			group: 'Screens',
			label: 'first',
			help: 'First line.',
			run: a => a.scroll({to: 'first'}),
		},
		{
			id: 'board.last',
			keys: ['G', 'end'],
			modes: isList,
			yields: 'toAll',
			group: 'Screens',
			label: 'last',
			help: 'Last line.',
			run: a => a.scroll({to: 'last'}),
		},
	],
});
