import {FOLLOWED_CHAIN_NAMES} from '../../chains/followed-chains.ts';
import type {Command} from '../line/command.ts';

/** Commands about chains that are followed. Their code is loaded when a command runs. */
export const follow: Command = {
	name: 'follow',
	summary: 'real chains, read from your node: what a node is good for, what is not followed',
	flags: [],
	subcommands: [
		{
			name: 'check',
			summary: 'ask a node all that following its chain needs, and say what it is good for',
			operands: 'URL|CHAIN',
			details:
				'About twenty calls: chain, newest block, finality, how many blocks one call for logs takes, the state, batches, pushes, and what ' +
				'launchpads wrote in the last minutes. With the name of a chain it checks the nodes that are configured for it; - reads ' +
				'addresses from stdin, which keeps a key in an address out of the process list. The output shows no more of an address than ' +
				'its host. Ends with 0 when every node can be used, with 1 when one cannot, and with 69 when one does not answer.',
			flags: [
				{
					name: 'chain',
					value: 'CHAIN',
					choices: FOLLOWED_CHAIN_NAMES,
					help: 'The chain that the node must be of; needed for a node of Solana.',
				},
			],
			examples: [
				'pulsetop follow check https://node.example.com --chain base',
				'pulsetop follow check wss://node.example.com --chain solana',
				'pulsetop follow check base',
				'pulsetop follow check - < node-address.txt',
			],
			run: async call => (await import('./check.ts')).followCheck(call),
		},
		{
			name: 'coverage',
			summary: "count who makes pools and tokens in a chain's newest blocks and is not followed",
			operands: 'URL|CHAIN',
			details:
				'Asks the node for the pools and new tokens of the newest blocks and for at most 200 receipts of their transactions, and lists the contracts ' +
				'behind them that no launchpad or exchange of this version names, by count: the next launchpad is the first line. A few calls a ' +
				'thousand blocks, in ranges that the node takes; a node that gives no logs without addresses cannot be asked. With the name of a ' +
				'chain it asks the first node that is configured for it. The output shows no more of an address than its host.',
			flags: [
				{name: 'blocks', value: 'N', help: 'Newest blocks that are counted, 1 to 20000 (1000).'},
				{
					name: 'chain',
					value: 'CHAIN',
					choices: FOLLOWED_CHAIN_NAMES,
					help: 'The chain that the node must be of.',
				},
			],
			examples: [
				'pulsetop follow coverage https://node.example.com',
				'pulsetop follow coverage robinhood --blocks 5000 --json',
			],
			run: async call => (await import('./coverage.ts')).followCoverage(call),
		},
	],
};
