import {BROWSE} from '../../keymap/binding.ts';
import {BACK, LABEL, LISTED} from '../../screens/hints.ts';
import {screenFeature} from '../../screens/screen-feature.ts';
import {NO_POSITIONS} from './positions-state.ts';

/** Purchases and sales, with cost, value and profit. */
export const positions = screenFeature({
	name: 'positions',
	initial: NO_POSITIONS,
	async load() {
		const [{createPositionsScreen: create}, {PositionsPage: Page}] = await Promise.all([
			import('./positions-screen.ts'),
			import('./positions-page.tsx'),
		]);
		return {create, Page};
	},
	hints: ({order, list}) => ({
		...BACK,
		'positions.turn': list === 'held' ? 'trades' : 'positions',
		'board.nextTab': LABEL,
		...(order.length > 0 && (list === 'held' ? {...LISTED, 'positions.sell': LABEL} : {'menu.accept': LABEL})),
	}),
	command: ({list}) => (list === 'held' ? 'pulsetop positions' : 'pulsetop positions --history'),
	help: 'positions',
	sections: {
		positions: {
			title: 'POSITIONS ({positions.open})',
			rank: 155,
			notes: [
				[
					'AVG COST, OPEN',
					'The average that a token cost, fees in, and the value now less that cost. Amounts are read from the chains, costs from the journal of this machine.',
				],
				[
					'part moved',
					'Less is on the chain than was bought here: it was moved elsewhere, and its part of the cost with it, without profit or loss.',
				],
				['part given', 'More is on the chain than was bought here: that part is worth something and has no cost.'],
				['not read', 'The chain could not be read: the amount is not known, which is not 0, and not in the sums.'],
			],
		},
	},
	bindings: [
		{
			id: 'positions.open',
			keys: ['m'],
			modes: BROWSE,
			group: 'Screens',
			label: 'positions',
			help: 'Positions: what you hold of the tokens that you traded, with cost, value and profit, and every trade with its fees.',
			hint: 70,
			needs: 'money',
			hintWhen: s => s.service.noMoney === undefined,
			disabled: s => s.service.noMoney,
			run: a => a.open('positions'),
		},
		{
			id: 'positions.sell',
			keys: ['-'],
			modes: ['positions'],
			group: 'Screens',
			label: 'sell',
			help: 'Sell the marked token. Nothing is signed before a review and a typed confirmation.',
			hint: 7,
			needs: 'money',
			danger: true,
			run: a => a.run('sell'),
		},
		{
			id: 'positions.turn',
			keys: ['tab', 'shift+tab', 't'],
			modes: ['positions'],
			group: 'Screens',
			label: 'trades',
			help: 'Every trade with its fees and its profit, and back to what is held.',
			hint: 10,
			run: a => a.turn(1),
		},
	],
});
