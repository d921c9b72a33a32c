import {whyNoLabels} from '../../../monitor/market-kind.ts';
import {selected} from '../../../monitor/select.ts';
import {BROWSE} from '../../keymap/binding.ts';
import {BACK, LABEL, scrollHints} from '../../screens/hints.ts';
import {screenFeature} from '../../screens/screen-feature.ts';
import {shellWord} from '../../shell-commands.ts';
import {NO_LABELS} from './labels-state.ts';

/** Labels of any wallets. */
export const labels = screenFeature({
	name: 'labels',
	initial: NO_LABELS,
	async load() {
		const [{createLabelsScreen: create}, {LabelsPage: Page}] = await Promise.all([
			import('./labels-screen.ts'),
			import('./labels-page.tsx'),
		]);
		return {create, Page};
	},
	hints({open, addresses, token, scroll}, monitor, reach) {
		const relate = token ? 'as such' : selected(monitor) ? LABEL : undefined;
		const related = relate === undefined ? {} : {'labels.relate': relate};
		if (open) return {...BACK, ...scrollHints(scroll, reach), ...related, 'menu.copy': LABEL};
		if (addresses.length === 0) return {'menu.close': LABEL, 'labels.type': LABEL, ...related};
		return {
			...BACK,
			...related,
			'menu.accept': LABEL,
			'labels.type': LABEL,
			'menu.remove': LABEL,
			'menu.copy': LABEL,
		};
	},
	remove: {label: 'clear', when: () => true, run: a => a.run('clear')},
	inputHints: () => ({'prompt.accept': 'look up'}),
	command({open, addresses, token}) {
		const wallets = open ? [open.address] : addresses.length > 0 ? addresses : ['ADDRESS'];
		const relative = token === undefined ? [] : ['--token', shellWord(token.address)];
		return ['pulsetop labels', ...wallets.map(shellWord), ...relative].join(' ');
	},
	help: 'labels',
	sections: {labels: {title: 'WALLETS ({labels.open})', rank: 180}},
	bindings: [
		{
			id: 'labels.open',
			keys: [],
			modes: BROWSE,
			group: 'Screens',
			label: 'wallets',
			title: 'Look up wallets',
			help: 'Look up wallets: labels, who they are, where their money came from.',
			hint: 74,
			disabled: s => whyNoLabels(s.service),
			run: a => a.open('labels'),
		},
		{
			id: 'labels.type',
			keys: ['n', '/', 'a', 'i'],
			modes: ['labels'],
			group: 'Screens',
			label: 'add wallets',
			help: 'Type addresses, as many as you like. You can also just paste them.',
			hint: 10,
			run: a => a.run('type'),
		},
		{
			id: 'labels.relate',
			keys: ['t'],
			modes: ['labels'],
			group: 'Screens',
			label: 'for token',
			help: 'Labels relative to the token under the cursor, or of the wallets in general.',
			hint: 20,
			run: a => a.run('relate'),
		},
	],
});
