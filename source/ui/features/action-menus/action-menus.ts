import {padEnd} from '../../../text.ts';
import {feature, type MenuContext, type MenuItem, type ModeSpec} from '../../feature.ts';
import {ACTION_LINES, type ActionMenu} from '../../keymap/action-lines.ts';
import {actionName, BROWSE} from '../../keymap/binding.ts';
import {keyWord} from '../../keymap/key-names.ts';
import {withKeys} from '../../keymap/key-texts.ts';
import {whyKept} from '../../keymap/why-kept.ts';

interface MenuActions {
	open(place: ActionMenu): void;
	/** Closes the window and does what a line of it says. */
	run(id: string): void;
}

function menuOf(place: ActionMenu, title: string): ModeSpec<unknown, MenuActions> {
	return {
		help: place,
		menu: {
			title,
			width: 76,
			items: (_, context) => actionItems(place, context),
			message: (_, __, marked) => (marked?.help === undefined ? undefined : {text: marked.help, isProblem: false}),
			accept: ({id}, _, a) => a.run(id),
		},
	};
}

/** Menus of rarely used actions, a key away: the content of the columns, pages and rare actions. */
export const actionMenus = feature({
	name: 'actionMenus',
	actions: ({monitor, runBinding}): MenuActions => ({
		open: place => monitor.enterMode({kind: place, index: 0}),
		run: id => {
			monitor.leaveMode();
			runBinding(id);
		},
	}),
	modes: {view: menuOf('view', 'What I see'), more: menuOf('more', 'More')},
	help: {
		view: {title: 'WHAT I SEE ({view.open})', rank: 22},
		more: {title: 'MORE ({more.open})', rank: 24},
	},
	bindings: [
		{
			id: 'view.open',
			keys: ['v'],
			modes: BROWSE,
			group: 'Columns',
			label: 'what I see',
			title: 'What I see…',
			help: 'What I see: chains, launchpads, columns, fields of rows, row height, colours.',
			hint: 61,
			run: a => a.open('view'),
		},
		{
			id: 'more.open',
			keys: ['M'],
			modes: BROWSE,
			group: 'Program',
			label: 'more',
			title: 'More…',
			help: 'More: watch list, action log, perpetuals orders, prediction markets, webhooks, wallets, addresses of the service, tour, bug report.',
			hint: 73,
			run: a => a.open('more'),
		},
	],
});

/** The lines of a window: the key of each action, its name, and why it can't be done now. */
function actionItems(place: ActionMenu, {state, keys, isAscii}: MenuContext): readonly MenuItem[] {
	return keys.bindings
		.filter(({isLine, modes}) => isLine === true && modes.some(mode => mode === place))
		.map(binding => {
			const {id, help} = binding;
			const key = binding.keys[0] === undefined ? '' : keyWord(binding.keys[0], isAscii);
			const kept = whyKept(binding, state);
			const why = kept === undefined ? binding.disabled?.(state) : state.visit ? 'not over SSH' : kept;
			return {
				id,
				label: `${padEnd(key, 3)}${actionName(binding).replace(/…$/, '')}`,
				note: ACTION_LINES[place].find(line => line.id === id)?.now?.(state) ?? '',
				help: withKeys(help, keys, isAscii, place),
				...(why !== undefined && {disabled: withKeys(why, keys, isAscii)}),
			};
		});
}
