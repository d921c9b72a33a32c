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

export const FOLLOW: Flag = {
	name: 'follow',
	value: 'CHAIN=URL',
	valueLike: /^(?:none$|[\w:-]+=|\w+:\/\/)/,
	repeats: true,
	help: 'Show real launches, read from your node of a chain: base=wss://…; may be repeated.',
};
export const BACKFILL: Flag = {
	name: 'backfill',
	value: 'TIME',
	help: 'How much of the past of a followed chain is read first: 10m, 1h, at most 24h.',
};
