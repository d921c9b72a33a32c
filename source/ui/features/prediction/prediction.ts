import {BROWSE} from '../../keymap/binding.ts';
import {BACK, LABEL, scrollHints} from '../../screens/hints.ts';
import {screenFeature} from '../../screens/screen-feature.ts';
import {shellWord} from '../../shell-commands.ts';
import {NO_PREDICTION, predictionKeys} from './prediction-state.ts';

/** The feed of followed chains has no such markets, whatever moves money beside it. */
const NOT_HERE = 'nodes of chains have no prediction markets: leave --follow out to see those of a service';

/** Prediction markets. Their account is a money window. */
export const prediction = screenFeature({
	name: 'prediction',
	initial: NO_PREDICTION,
	async load() {
		const [{createPredictionScreen: create}, {PredictionPage: Page}] = await Promise.all([
			import('./prediction-screen.ts'),
			import('./prediction-page.tsx'),
		]);
		return {create, Page};
	},
	hints(state, monitor, reach) {
		const marked = {'markets.watch': LABEL, 'menu.copy': LABEL};
		if (state.open !== undefined) return {...BACK, ...scrollHints(state.scroll, reach), ...marked, 'vault.open': LABEL};
		const isEmpty = predictionKeys(monitor).length === 0;
		return {
			...(!isEmpty && {'menu.accept': LABEL, ...marked}),
			...BACK,
			'markets.add': LABEL,
			'vault.open': LABEL,
		};
	},
	inputHints: () => ({'prompt.accept': 'add'}),
	command({open}, monitor) {
		const shown = open === undefined ? predictionKeys(monitor) : [open];
		return shown.length === 0 ? undefined : ['pulsetop market show', ...shown.map(shellWord)].join(' ');
	},
	help: 'prediction',
	sections: {prediction: {title: 'PREDICTION ({markets.open})', rank: 160}},
	bindings: [
		{
			id: 'markets.open',
			keys: [],
			modes: BROWSE,
			group: 'Screens',
			label: 'prediction',
			title: 'Prediction markets',
			help: 'Prediction markets (alpha): prices of a watch list, your account.',
			hint: 72,
			hintWhen: s => s.service.follow === undefined,
			disabled: s => (s.service.follow ? NOT_HERE : undefined),
			run: a => a.open('prediction'),
		},
		{
			id: 'markets.add',
			keys: ['n', '/'],
			modes: ['prediction'],
			group: 'Screens',
			label: 'add',
			help: 'Watch a prediction by its id, PLATFORM:MARKET.',
			hint: 12,
			run: a => a.run('add'),
		},
		{
			id: 'markets.watch',
			keys: ['w', '*'],
			modes: ['prediction'],
			group: 'Screens',
			label: 'watch',
			help: 'Add the prediction to the watch list, or remove it. Kept over restarts.',
			hint: 14,
			run: a => a.run('watch'),
		},
	],
});
