import type {Command, Flag} from '../line/command.ts';
import {FORMAT} from '../line/common-flags.ts';
import {ACCEPT, DRY_RUN, MAX_LOSS, MODES, NO_WAIT, PASSPHRASE, PLAN, PLANS, WALLET, YES} from './flags.ts';

/*
 * The money commands of the command line. Their code is loaded when a command runs.
 */

const REAL: Flag = {name: 'real', help: 'Use the files of real money, with any service.'};
const PRACTICE: Flag = {name: 'practice', help: 'Use the files of practice, with any service.'};

export const wallet: Command = {
	name: 'wallet',
	summary: 'keys, limits, accepted contracts and the action log',
	details: `${MODES} Keys and passphrases are never taken from the command line or the environment.`,
	flags: [],
	subcommands: [
		{
			name: 'list',
			summary: 'practice and real wallets, and which can act here',
			flags: [FORMAT, REAL, PRACTICE],
			run: async call => (await import('../wallet/keys.ts')).walletList(call),
		},
		{
			name: 'create',
			summary: 'create a key, encrypted with a passphrase',
			operands: 'NAME',
			details: `${MODES} A practice wallet has no passphrase.`,
			flags: [REAL, PRACTICE, PASSPHRASE],
			examples: ['pulsetop wallet create main --real'],
			run: async call => (await import('../wallet/keys.ts')).walletCreate(call),
		},
		{
			name: 'import',
			summary: 'import a key, or a key file (version 3) of another program',
			operands: 'NAME [FILE]',
			details:
				'Without a file you are prompted for the key, with no echo. Practice mode creates its own keys and imports none.',
			flags: [
				{name: 'key-fd', value: 'N', help: 'Read the key, or the key file, from this file descriptor.'},
				PASSPHRASE,
				REAL,
				PRACTICE,
			],
			examples: ['pulsetop wallet import main --real', 'pulsetop wallet import main UTC--2026-01-02.json --real'],
			run: async call => (await import('../wallet/keys.ts')).walletImport(call),
		},
		{
			name: 'limits',
			summary: 'spending limits, per transaction and per day; raising one asks for the passphrase',
			operands: '[CHAIN:TOKEN]',
			flags: [
				{name: 'per-transaction', value: 'N', help: 'Maximum per transaction, in whole tokens.'},
				{name: 'per-day', value: 'N', help: 'Maximum in any 24 hours, in whole tokens.'},
				WALLET,
				PASSPHRASE,
				FORMAT,
				REAL,
				PRACTICE,
			],
			examples: ['pulsetop wallet limits base:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913 --per-day 500'],
			run: async call => (await import('../wallet/limits.ts')).walletLimits(call),
		},
		{
			name: 'pins',
			summary: 'accepted contracts, one per role and chain',
			flags: [
				{
					name: 'forget',
					value: 'ROLE=LAST6',
					repeats: true,
					help: 'Forget an accepted contract; needs --chain.',
				},
				{name: 'chain', value: 'CHAIN', help: 'The chain, by id or name: evm:8453, base.'},
				FORMAT,
				REAL,
				PRACTICE,
			],
			run: async call => (await import('../wallet/pins.ts')).walletPins(call),
		},
		{
			name: 'log',
			summary: 'the action log: everything signed and sent, checked for gaps',
			flags: [
				{name: 'limit', value: 'N', help: 'Only the newest N lines.'},
				{
					name: 'confirm',
					help: 'Go on with the lines that are there when some are missing or damaged; asks for the passphrase.',
				},
				WALLET,
				PASSPHRASE,
				FORMAT,
				REAL,
				PRACTICE,
			],
			run: async call => (await import('../wallet/log.ts')).walletLog(call),
		},
		{
			name: 'fund',
			summary: 'test tokens and coins for a practice wallet',
			operands: '[NAME]',
			flags: [{name: 'chain', value: 'CHAIN', help: 'Only on this chain.'}],
			run: async call => (await import('../wallet/fund.ts')).walletFund(call),
		},
	],
};

const TRANSFER: readonly Flag[] = [
	{name: 'from', value: 'CHAIN:TOKEN', help: 'Token to send: base:usdc, evm:8453:0x...'},
	{name: 'amount', value: 'N', help: 'Amount to send, in whole tokens: 12.5.'},
	{name: 'to', value: 'CHAIN[:TOKEN]', help: "Chain and token to receive; without a token the chain's own coin."},
	{name: 'recipient', value: 'ADDRESS', help: 'Address that receives (the wallet itself).'},
	WALLET,
	MAX_LOSS,
];

export const bridge: Command = {
	name: 'bridge',
	summary: 'send tokens to another chain; the service pays the gas',
	details: MODES,
	flags: [],
	subcommands: [
		{
			name: 'quote',
			summary: 'amounts, fees and checks of a transfer; signs nothing',
			flags: TRANSFER,
			examples: ['pulsetop bridge quote --from base:usdc --amount 12.5 --to arbitrum:usdc'],
			run: async call => (await import('../bridge/quote.ts')).bridgeQuote(call),
		},
		{
			name: 'execute',
			summary: 'make a transfer and follow it to its end',
			details: `At a terminal you read the review and type the amount. A program gives its plan within ten minutes. ${PLANS}`,
			flags: [...TRANSFER, DRY_RUN, YES, PLAN, ACCEPT, PASSPHRASE, NO_WAIT],
			examples: [
				'pulsetop bridge execute --from base:usdc --amount 12.5 --to arbitrum:usdc --dry-run --json',
				'pulsetop bridge execute --yes --plan "$HASH" --passphrase-fd 3 3< passphrase',
			],
			run: async call => (await import('../bridge/execute.ts')).bridgeExecute(call),
		},
		{
			name: 'status',
			summary: 'status of a transfer, or of all open ones',
			operands: '[INTENT]',
			flags: [{name: 'wait', help: 'Wait for the end; the exit code says how it ended.'}, FORMAT],
			run: async call => (await import('../bridge/status.ts')).bridgeStatus(call),
		},
		{
			name: 'list',
			summary: 'list the transfers sent from here',
			flags: [FORMAT, REAL, PRACTICE],
			run: async call => (await import('../bridge/status.ts')).bridgeList(call),
		},
	],
};

export const perp: Command = {
	name: 'perp',
	summary: 'perpetuals: list and cancel open orders',
	details: MODES,
	flags: [],
	subcommands: [
		{
			name: 'orders',
			summary: 'list the orders, take-profits and stop-losses that can be cancelled',
			flags: [WALLET, FORMAT],
			run: async call => (await import('../perp/orders.ts')).perpOrders(call),
		},
		{
			name: 'cancel',
			summary: 'cancel an order, by its number or id',
			operands: '[ORDER]',
			details: `At a terminal you read the decoded payload and type the number of the order. ${PLANS}`,
			flags: [WALLET, DRY_RUN, YES, PLAN, ACCEPT, PASSPHRASE],
			examples: [
				'pulsetop perp cancel 4 --dry-run',
				'pulsetop perp cancel --yes --plan "$HASH" --accept perp-exchange=a1b2c3',
			],
			run: async call => (await import('../perp/cancel.ts')).perpCancel(call),
		},
		{
			name: 'practice-order',
			summary: 'place an order with test money, to try the cancel',
			flags: [WALLET],
			run: async call => (await import('../perp/practice-order.ts')).perpPracticeOrder(call),
		},
	],
};
