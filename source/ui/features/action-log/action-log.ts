import {BACK, LABEL, scrollHints} from '../../screens/hints.ts';
import {screenFeature} from '../../screens/screen-feature.ts';
import {NO_LOG, walletsOf} from './action-log-state.ts';

/** The journal of what could move money. */
export const actionLog = screenFeature({
	name: 'actionLog',
	initial: NO_LOG,
	async load() {
		const [{createActionLogScreen: create}, {ActionLogPage: Page}] = await Promise.all([
			import('./action-log-screen.ts'),
			import('./action-log-page.tsx'),
		]);
		return {create, Page};
	},
	hints: (state, _, reach) => ({
		...BACK,
		...scrollHints(state.scroll, reach),
		...(walletsOf(state).length > 0 && {'log.wallet': LABEL}),
		...(state.wallet !== undefined && {'menu.copy': LABEL}),
		'board.nextTab': LABEL,
	}),
	command: () => 'pulsetop wallet log',
	help: 'log',
	sections: {log: {title: 'ACTION LOG ({log.open})', rank: 158}},
	bindings: [
		{
			id: 'log.open',
			keys: [],
			modes: ['list', 'detail'],
			group: 'Money',
			label: 'action log',
			help: 'Action log: every request that could move money and what came of it, newest first.',
			needs: 'money',
			run: a => a.open('actionLog'),
		},
		{
			id: 'log.wallet',
			keys: ['w'],
			modes: ['actionLog'],
			group: 'Money',
			label: 'wallet',
			help: 'Filter by wallet: one after the other, then all.',
			hint: 12,
			run: a => a.run('turnWallet'),
		},
	],
});
