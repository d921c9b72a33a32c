import type {Command, Flag} from '../line/command.ts';
import {FORMAT, RATE, SEED} from '../line/common-flags.ts';
import {ACCEPT, DRY_RUN, MODES, NO_WAIT, PASSPHRASE, PLAN, WALLET, YES} from '../trading/flags.ts';

/* The commands that trade tokens. Their code is loaded when a command runs. */

const TRADE: readonly Flag[] = [
	{
		name: 'slippage',
		value: 'PERCENT',
		help: 'How much less than quoted may arrive, at most 25 (10, or [trade] slippage).',
	},
	{
		name: 'max-loss',
		value: 'PERCENT',
		help: "Maximum loss in the worst case, by the feed's price: the least that arrives against what is paid (25; above 15 it must be accepted by its name).",
	},
	WALLET,
	DRY_RUN,
	YES,
	PLAN,
	{
		...ACCEPT,
		value: 'NAME=FIGURE',
		help: 'Accept what the dry run names: impact=12,own-price=none, or a contract on first use by ROLE=LAST6; never everything.',
	},
	PASSPHRASE,
	NO_WAIT,
	SEED,
	RATE,
];

const HOW =
	'The token is named by its chain and address, never by its symbol; its row is read from the feed when the command runs.\n' +
	"The service's bridge trades it against dollars of another chain, and pays the gas. At a terminal you read the review and\n" +
	'type the amount.\n' +
	'For programs: --dry-run prints exactly what would be signed and the hash of the plan, and ends with 3 when something must be\n' +
	'accepted by its name or a check fails. --yes --plan HASH executes exactly that plan, within a minute; what is repeated must\n' +
	'agree with it. The exit code is 0 only when the chain shows what arrived, and 4 while only the service says it.\n' +
	MODES;

export const buy: Command = {
	name: 'buy',
	summary: 'buy a token with dollars of another chain',
	operands: '[CHAIN:ADDRESS]',
	details: HOW,
	flags: [
		{name: 'amount', value: 'N', help: 'Dollars to spend: 25.'},
		{
			name: 'from',
			value: 'CHAIN:TOKEN',
			help: 'Dollars to pay with, on another chain than the token: base:usdc ([trade] from).',
		},
		...TRADE,
	],
	examples: [
		'pulsetop buy arbitrum:0x4ed4e862860bed51a9570b96d89af5e1b0efefed --amount 25 --from base:usdc --dry-run --json',
		'pulsetop buy --yes --plan "$HASH" --accept own-price=none,impact=12 --passphrase-fd 3 3< passphrase',
	],
	run: async call => (await import('./trade.ts')).trade('buy', call),
};

export const sell: Command = {
	name: 'sell',
	summary: 'sell a token for dollars on another chain',
	operands: '[CHAIN:ADDRESS]',
	details: HOW,
	flags: [
		{name: 'amount', value: 'N', help: 'Tokens to sell: 1200.5.'},
		{name: 'percent', value: 'N', help: 'Sell this part of what the wallet has: 50.'},
		{name: 'all', help: 'Sell everything that the wallet has, to the last unit.'},
		{
			name: 'to',
			value: 'CHAIN:TOKEN',
			help: 'Dollars to receive, on another chain than the token: base:usdc ([trade] from).',
		},
		...TRADE,
	],
	examples: ['pulsetop sell arbitrum:0x4ed4e862860bed51a9570b96d89af5e1b0efefed --percent 50 --to base:usdc'],
	run: async call => (await import('./trade.ts')).trade('sell', call),
};

export const positions: Command = {
	name: 'positions',
	summary: 'tokens that were bought, what they cost and what they are worth',
	details:
		'Amounts are read from the chains, costs from the log on this machine (weighted average, fees in), prices from the feed. What ' +
		'was moved elsewhere or not bought here is said. It only reads.',
	flags: [{name: 'history', help: 'Every trade with its fees, the newest first.'}, FORMAT],
	examples: ['pulsetop positions', 'pulsetop positions --history --format csv > trades.csv'],
	run: async call => (await import('./positions.ts')).positions(call),
};
