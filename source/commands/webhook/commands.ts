import type {Command, Flag} from '../line/command.ts';
import {FORMAT, RATE, SEED} from '../line/common-flags.ts';

/*
 * The webhook commands of the command line. Their code is loaded when a command runs.
 */

const EVENT: Flag = {
	name: 'event',
	value: 'EVENT',
	choices: ['swap', 'transfer', 'swap-enriched', 'block', 'order', 'launchpad'],
	repeats: true,
	help: 'Event to deliver; may be repeated (swap).',
};
const CHAIN: Flag = {
	name: 'chain',
	value: 'CHAIN',
	repeats: true,
	help: 'Chain, by id or name; may be repeated (solana).',
};
const FILTER: Flag = {
	name: 'filter',
	value: 'FILTER',
	help: 'Only what matches: "amountUSD>=10k poolType:pumpfun,pumpswap | swapType=buy", or the JSON of the API.',
};

const MASKS = 'Keys, secrets and URL queries are masked in the output.';

export const webhook: Command = {
	name: 'webhook',
	summary: 'event callbacks to your URL: list, create, change, listen',
	details: `Webhooks belong to an API key of a service that keeps running: pulsetop serve, or a hosted one. ${MASKS}`,
	flags: [],
	subcommands: [
		{
			name: 'list',
			summary: 'list the webhooks of the API key',
			flags: [FORMAT],
			run: async call => (await import('./records.ts')).webhookList(call),
		},
		{
			name: 'create',
			summary: 'create a webhook; its secret is shown only once',
			operands: 'NAME',
			details: `The secret signs every delivery. It is written to a file, or printed with --show-secret. ${MASKS}`,
			flags: [
				{name: 'url', value: 'URL', help: 'URL that events are posted to; - reads it from stdin.'},
				EVENT,
				CHAIN,
				FILTER,
				{name: 'secret-file', value: 'FILE', help: 'Write the secret to this new file (mode 600).'},
				{name: 'show-secret', help: 'Print the secret.'},
				FORMAT,
			],
			examples: [
				'pulsetop webhook create whales --url https://example.com/in --filter "amountUSD>=10k" --secret-file whales.secret',
			],
			run: async call => (await import('./records.ts')).webhookCreate(call),
		},
		{
			name: 'update',
			summary: 'change the filter of a webhook',
			operands: 'ID',
			flags: [
				FILTER,
				{name: 'no-filter', help: 'Deliver every event from now on.'},
				{name: 'merge', help: 'Deliver what matches both the new filter and the one before it.'},
				FORMAT,
			],
			examples: ['pulsetop webhook update "$ID" --filter "amountUSD>=50k"'],
			run: async call => (await import('./records.ts')).webhookUpdate(call),
		},
		{
			name: 'delete',
			summary: 'delete webhooks and their waiting deliveries',
			operands: 'ID...',
			flags: [],
			run: async call => (await import('./records.ts')).webhookDelete(call),
		},
		{
			name: 'deliveries',
			summary: 'delivery status of a webhook and its dead letters',
			operands: 'ID',
			flags: [
				{name: 'limit', value: 'N', help: 'Maximum number of dead letters, 1 to 100 (20).'},
				{name: 'offset', value: 'N', help: 'Number of dead letters to skip (0).'},
				{name: 'redeliver', help: 'Put all dead letters back into the queue first.'},
				FORMAT,
			],
			run: async call => (await import('./deliveries.ts')).webhookDeliveries(call),
		},
		{
			name: 'listen',
			summary: 'receive deliveries here, check their signatures and print them until Ctrl+C',
			details:
				'Creates a webhook that posts here, and deletes it at the end. Without a configured service it starts an embedded one. A service on another machine needs --public-url; your own service needs pulsetop serve --allow-private-webhooks.',
			flags: [
				{name: 'port', value: 'PORT', help: 'Port to receive on (any free port).'},
				{name: 'host', value: 'HOST', help: 'Address to receive on (127.0.0.1).'},
				{name: 'public-url', value: 'URL', help: 'Public URL that the service posts to.'},
				{
					name: 'secret-fd',
					value: 'N',
					help: 'Receive for an existing webhook; its secret is read from this file descriptor.',
				},
				EVENT,
				CHAIN,
				FILTER,
				{name: 'count', value: 'N', help: 'Number of deliveries after which to end.'},
				{
					name: 'format',
					value: 'FORMAT',
					choices: ['lines', 'jsonl'],
					help: 'A line of text or of JSON for each delivery (lines); --json is --format jsonl.',
				},
				SEED,
				RATE,
			],
			examples: [
				'pulsetop webhook listen --event launchpad --chain solana --chain base',
				'pulsetop webhook listen --port 8080 --secret-fd 3 --json 3< whales.secret | jq .body',
			],
			run: async call => (await import('./listen.ts')).webhookListen(call),
		},
	],
};
