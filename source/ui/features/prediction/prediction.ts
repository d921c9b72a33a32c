import {BROWSE} from '../../keymap/binding.ts';
import {BACK, LABEL, scrollHints} from '../../screens/hints.ts';
import {screenFeature} from '../../screens/screen-feature.ts';
import {shellWord} from '../../shell-commands.ts';
import {listedPredictions, NO_PREDICTION} from './prediction-state.ts';

/** The feed of followed chains has no such markets, whatever moves money beside it. */
const NOT_HERE = 'nodes of chains have no prediction markets: leave --follow out to see those of a service';

/** Prediction markets. Their account is a money window. */
export const prediction = screenFeature({
	name: 'prediction',
	initial: NO_PREDICTION,
	async load() {
		const [{createPredictionScreen: create}, {predictionRows}] = await Promise.all([
			import('./prediction-screen.ts'),
			import('./prediction-rows.ts'),
		]);
		return {create, rows: (state, monitor, canvas) => predictionRows(state, monitor.watchedPredictions, canvas)};
	},
	hints(state, {watchedPredictions: watched}, reach) {
		const marked = {'markets.watch': LABEL, 'board.copy': LABEL};
		if (state.open !== undefined) return {...BACK, ...scrollHints(state.scroll, reach), ...marked, 'vault.open': LABEL};
		const isEmpty = (state.source === 'watched' ? watched.size : listedPredictions(state).length) === 0;
		return {
			...(!isEmpty && {'board.accept': LABEL, ...marked}),
			...BACK,
			'markets.turn': LABEL,
			'markets.search': LABEL,
			'markets.status': LABEL,
			'vault.open': LABEL,
		};
	},
	inputHints: () => ({'boardInput.accept': 'search'}),
	command({open, source, query}, {watchedPredictions}) {
		const shown = open === undefined ? (source === 'watched' ? [...watchedPredictions.keys()] : []) : [open];
		if (shown.length > 0) return ['pulsetop market show', ...shown.map(shellWord)].join(' ');
		return source === 'search' && query !== ''
			? `pulsetop market search ${shellWord(query)}`
			: 'pulsetop market trending';
	},
	help: 'prediction',
	sections: {prediction: {title: 'PREDICTION ({markets.open})', rank: 160}},
	bindings: [
		{
			id: 'markets.open',
			keys: ['M'],
			modes: BROWSE,
			group: 'Screens',
			label: 'prediction',
			title: 'Prediction markets',
			help: 'Prediction markets (alpha): live prices, search, a watch list, your account.',
			hint: 72,
			hintWhen: s => s.service.follow === undefined,
			disabled: s => (s.service.follow ? NOT_HERE : undefined),
			run: a => a.open('prediction'),
		},
		{
			id: 'markets.turn',
			keys: ['tab', 'right', 'l'],
			modes: ['prediction'],
			group: 'Screens',
			label: 'next list',
			help: 'The next list: trending, search results, watch list.',
			hint: 10,
			run: a => a.turn(1),
		},
		{
			id: 'markets.turnBack',
			keys: ['shift+tab', 'left', 'h'],
			modes: ['prediction'],
			group: 'Screens',
			label: 'previous list',
			help: 'The previous list.',
			run: a => a.turn(-1),
		},
		{
			id: 'markets.search',
			keys: ['/'],
			modes: ['prediction'],
			group: 'Screens',
			label: 'search',
			help: 'Search all predictions; an empty line lists all.',
			hint: 12,
			run: a => a.run('search'),
		},
		{
			id: 'markets.status',
			keys: ['s'],
			modes: ['prediction'],
			group: 'Screens',
			label: 'status',
			help: 'Filter by status: active, closed, resolved, any.',
			hint: 20,
			run: a => a.run('status'),
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
