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
	help: "The seed of the program's own market: the same seed is the same market.",
};
export const RATE: Flag = {name: 'rate', value: 'X', help: "How much busier the program's own market is than usual."};
