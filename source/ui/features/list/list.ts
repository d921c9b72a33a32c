import {VIEWS} from '../../../monitor/views.ts';
import {nameProblem} from '../../argument-problem.ts';
import {type Context, feature} from '../../feature.ts';
import {BROWSE} from '../../keymap/binding.ts';
import {createMouse} from './mouse.ts';

const LIST = ['list'] as const;

/** The cursor and the focus in the columns. */
export const list = feature({
	name: 'list',
	actions: (context: Context) => ({...movesOf(context), mouse: createMouse(context)}),
	modes: {list: {help: 'columns', takesCount: true, mouse: (event, a) => a.mouse(event)}},
	help: {columns: {title: 'IN THE COLUMNS', rank: 10}},
	commands: [
		{
			word: 'column',
			usage: 'column new|bonding|bonded|trending',
			help: 'Focus a column; one that is not shown is shown again.',
			problem: argument => nameProblem(argument, VIEWS),
			completions: argument =>
				VIEWS.filter(view => view.startsWith(argument.trim())).map(view => ({argument: view, note: ''})),
			run: (argument, a) => a.focusView(VIEWS.find(view => view === argument.trim())!),
		},
	],
	bindings: [
		{
			id: 'cursor.down',
			keys: ['j', 'down'],
			modes: BROWSE,
			group: 'Move',
			label: 'down',
			title: 'Next token',
			help: 'Next token; a count moves further (3{cursor.down}). The order is frozen while the cursor is set. Below the last: the next 50.',
			hint: 10,
			run: (a, n) => a.moveCursor(n),
		},
		{
			id: 'cursor.up',
			keys: ['k', 'up'],
			modes: BROWSE,
			group: 'Move',
			label: 'up',
			title: 'Previous token',
			help: 'Previous token; above the first of later rows: the 50 before.',
			run: (a, n) => a.moveCursor(-n),
		},
		{
			id: 'cursor.first',
			keys: ['g', 'home'],
			modes: BROWSE,
			group: 'Move',
			label: 'first',
			title: 'First token',
			help: 'First token of the column; from later rows back to the live ones.',
			run: a => a.moveFirst(),
		},
		{
			id: 'cursor.last',
			keys: ['G', 'end'],
			modes: BROWSE,
			group: 'Move',
			label: 'last',
			title: 'Last token',
			help: 'Last token, or the one with the number typed before (7{cursor.last}); on the last: the next 50.',
			run: (a, n) => a.moveLast(n),
		},
		{
			id: 'page.down',
			keys: ['pgdn', 'ctrl+d', 'ctrl+f'],
			modes: LIST,
			group: 'Move',
			label: 'page down',
			title: 'Page down',
			help: 'One screen down; on the last token the next 50.',
			run: (a, n) => a.movePage(n),
		},
		{
			id: 'page.up',
			keys: ['pgup', 'ctrl+u', 'ctrl+b'],
			modes: LIST,
			group: 'Move',
			label: 'page up',
			title: 'Page up',
			help: 'One screen up.',
			run: (a, n) => a.movePage(-n),
		},
		{
			id: 'half.down',
			keys: [],
			modes: LIST,
			group: 'Move',
			label: 'half down',
			title: 'Half a page down',
			help: 'Half a screen down.',
			run: (a, n) => a.moveHalfPage(n),
		},
		{
			id: 'half.up',
			keys: [],
			modes: LIST,
			group: 'Move',
			label: 'half up',
			title: 'Half a page up',
			help: 'Half a screen up.',
			run: (a, n) => a.moveHalfPage(-n),
		},
		{
			id: 'column.next',
			keys: ['tab', 'l', 'right'],
			modes: BROWSE,
			group: 'Move',
			label: 'next column',
			title: 'Next column',
			help: 'Focus the next column.',
			hint: 20,
			run: a => a.moveFocus(1),
		},
		{
			id: 'column.previous',
			keys: ['shift+tab', 'h', 'left'],
			modes: BROWSE,
			group: 'Move',
			label: 'previous column',
			title: 'Previous column',
			help: 'Focus the previous column.',
			run: a => a.moveFocus(-1),
		},
		{
			id: 'order.release',
			keys: ['esc'],
			modes: LIST,
			group: 'Move',
			label: 'go live',
			title: 'Go live',
			help: 'Go live: drop the cursor and let the order move again; ends a quick search first.',
			hint: 15,
			hintWhen: s => s.columns[s.focus].frozen || s.columns[s.focus].search !== '',
			labelNow: s => (s.columns[s.focus].search === '' ? undefined : 'end search'),
			run: a => a.release(),
		},
	],
});

/** The actions of the monitor that move the cursor and the focus. */
function movesOf({monitor}: Context) {
	const {moveCursor, moveFirst, moveLast, movePage, moveHalfPage, moveFocus, focusView, release} = monitor;
	return {moveCursor, moveFirst, moveLast, movePage, moveHalfPage, moveFocus, focusView, release};
}
