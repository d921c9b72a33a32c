import {selected} from '../../../monitor/select.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import {BROWSE} from '../../keymap/binding.ts';
import {BACK, LABEL, LISTED} from '../../screens/hints.ts';
import {screenFeature} from '../../screens/screen-feature.ts';
import {shellWord} from '../../shell-commands.ts';
import {NO_DEVELOPER} from './developer-state.ts';

/** All tokens of a deployer. */
export const developer = screenFeature({
	name: 'developer',
	initial: NO_DEVELOPER,
	async load() {
		const [{createDeveloperScreen: create}, {DeveloperPage: Page}] = await Promise.all([
			import('./developer-screen.ts'),
			import('./developer-page.tsx'),
		]);
		return {create, Page};
	},
	hints: ({order}) => (order.length === 0 ? BACK : {...BACK, ...LISTED, 'menu.remove': LABEL}),
	remove: {label: 'hide developer', when: () => true, run: a => a.run('hide')},
	command: ({of}) => of && `pulsetop feed --filter ${shellWord(`deployer:${of.deployer}`)}`,
	help: 'tokens',
	bindings: [
		{
			id: 'developer.open',
			keys: ['D'],
			modes: BROWSE,
			group: 'Screens',
			label: 'developer',
			title: 'Tokens of the developer',
			help: 'All tokens of the same deployer, on every chain: age, mcap, bonded or dead.',
			hint: 59,
			disabled: needsDeployer,
			run: a => a.open('developer'),
		},
	],
});

function needsDeployer(state: MonitorState): string | undefined {
	const entry = selected(state);
	if (entry === undefined) return 'put the cursor on a token first ({cursor.down})';
	return entry.deployer === undefined ? 'the deployer of this token is not reported' : undefined;
}
