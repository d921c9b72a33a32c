import type {Command, Flag} from '../line/command.ts';
import {FORMAT, RATE, SEED} from '../line/common-flags.ts';
import {ACCEPT, DRY_RUN, MODES, PASSPHRASE, PLAN, PLANS, WALLET, YES} from '../trading/flags.ts';

/*
 * The commands for prediction markets. Their code is loaded when a command runs.
 */

const ACTING: readonly Flag[] = [WALLET, DRY_RUN, YES, PLAN, ACCEPT, PASSPHRASE];
const AMOUNT: Flag = {name: 'amount', value: 'N', help: 'Amount of stablecoin, 0.01 to 1000000000: 12.5.'};

const ALPHA = 'Alpha: the data of prediction markets may change without notice.';
const ACCOUNTS = `${ALPHA} Prediction accounts work with practice money only. ${MODES}`;
const CONFIRMED = `At a terminal you read the review and type a confirmation. ${PLANS} A plan is valid for one transaction.`;

export const market: Command = {
	name: 'market',
	summary: 'prediction markets (alpha): prices, and the account that trades them',
	details: ALPHA,
	flags: [],
	subcommands: [
		{
			name: 'show',
			summary: 'details of markets: outcomes, prices, figures, rules',
			operands: '[ID...]',
			details: `${ALPHA} An id is PLATFORM:MARKET; - reads ids from stdin. Without one the practice markets are shown. Ends with 1 when the service does not know one of them.`,
			flags: [FORMAT, SEED, RATE],
			examples: ['pulsetop market show --json'],
			run: async call => (await import('./show.ts')).marketShow(call),
		},
		{
			name: 'status',
			summary: 'the account of a wallet: address, state and balance',
			operands: '[ADDRESS]',
			details: `${ALPHA} The default is the account of your wallet.`,
			flags: [WALLET],
			run: async call => (await import('./status.ts')).marketStatus(call),
		},
		{
			name: 'deploy',
			summary: 'create the account of a wallet',
			details: `${ACCOUNTS} ${CONFIRMED}`,
			flags: ACTING,
			examples: ['pulsetop market deploy --dry-run'],
			run: async call => (await import('./account.ts')).marketAct('deploy', call),
		},
		{
			name: 'deposit',
			summary: 'deposit stablecoin into the account',
			details: `${ACCOUNTS} ${CONFIRMED}`,
			flags: [AMOUNT, ...ACTING],
			run: async call => (await import('./account.ts')).marketAct('deposit', call),
		},
		{
			name: 'withdraw',
			summary: 'withdraw stablecoin from the account',
			details: `${ACCOUNTS} ${CONFIRMED}`,
			flags: [AMOUNT, ...ACTING],
			examples: [
				'pulsetop market withdraw --amount 12.5 --dry-run --json',
				'pulsetop market withdraw --yes --plan "$HASH"',
			],
			run: async call => (await import('./account.ts')).marketAct('withdraw', call),
		},
	],
};
