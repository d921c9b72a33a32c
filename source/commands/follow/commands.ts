import {FOLLOWED_CHAIN_NAMES} from '../../followed-chains.ts';
import type {Command} from '../line/command.ts';

/** Commands about chains that are followed. Their code is loaded when a command runs. */
export const follow: Command = {
	name: 'follow',
	summary: 'real chains, read from your node: check what a node is good for',
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
	],
};
