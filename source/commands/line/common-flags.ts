import type {Flag} from './command.ts';

/* Flags that several commands take. */

export const FORMAT: Flag = {
	name: 'format',
	value: 'FORMAT',
	choices: ['table', 'json', 'jsonl', 'csv'],
	help: 'How to print; --json is --format json.',
};
export const SEED: Flag = {
	name: 'seed',
	value: 'N',
	help: 'Seed of the built-in simulated market: the same seed is the same market.',
};
export const RATE: Flag = {name: 'rate', value: 'X', help: 'Activity multiplier for the simulated market (1).'};
