import type {Entity} from '../labels.ts';

/**
 * The known entities of the simulated market, all made up. Their wallets are the first ones of the crowd, in this
 * order.
 */
export const ENTITIES: readonly Entity[] = [
	{
		name: 'Harbor Exchange',
		logo: 'https://assets.pulsetop.invalid/entity/harbor-exchange.png',
		type: 'exchange',
		labels: ['cex', 'hot wallet'],
		description: 'Spot exchange, hot wallet 1',
		twitter: 'https://x.com/harborexchange',
		website: 'https://harbor.invalid',
	},
	{
		name: 'Harbor Exchange',
		logo: 'https://assets.pulsetop.invalid/entity/harbor-exchange.png',
		type: 'exchange',
		labels: ['cex', 'hot wallet'],
		description: 'Spot exchange, hot wallet 2',
		twitter: 'https://x.com/harborexchange',
		website: 'https://harbor.invalid',
	},
	{
		name: 'Northgate',
		logo: 'https://assets.pulsetop.invalid/entity/northgate.png',
		type: 'exchange',
		labels: ['cex', 'withdrawals'],
		description: 'Exchange withdrawal wallet',
		twitter: 'https://x.com/northgate',
		website: 'https://northgate.invalid',
	},
	{
		name: 'Tidewater',
		logo: 'https://assets.pulsetop.invalid/entity/tidewater.png',
		type: 'exchange',
		labels: ['cex'],
		description: 'Exchange wallet',
		twitter: null,
		website: 'https://tidewater.invalid',
	},
	{
		name: 'Crossing',
		logo: 'https://assets.pulsetop.invalid/entity/crossing.png',
		type: 'bridge',
		labels: ['bridge'],
		description: 'Cross-chain bridge payer',
		twitter: 'https://x.com/crossing',
		website: 'https://crossing.invalid',
	},
	{
		name: 'Lockbox',
		logo: 'https://assets.pulsetop.invalid/entity/lockbox.png',
		type: 'locker',
		labels: ['locker'],
		description: 'Time-locks tokens and pool shares',
		twitter: null,
		website: 'https://lockbox.invalid',
	},
	{
		name: 'Meridian Capital',
		logo: 'https://assets.pulsetop.invalid/entity/meridian-capital.png',
		type: 'fund',
		labels: ['fund'],
		description: 'Liquid token fund',
		twitter: 'https://x.com/meridiancap',
		website: 'https://meridian.invalid',
	},
	{
		name: 'Brightwater Ventures',
		logo: 'https://assets.pulsetop.invalid/entity/brightwater-ventures.png',
		type: 'fund',
		labels: ['fund', 'vc'],
		description: 'Venture fund',
		twitter: null,
		website: 'https://brightwater.invalid',
	},
	{
		name: 'Quayside',
		logo: 'https://assets.pulsetop.invalid/entity/quayside.png',
		type: 'market-maker',
		labels: ['market maker'],
		description: 'Market maker',
		twitter: null,
		website: 'https://quayside.invalid',
	},
	{
		name: 'Orla the Degen',
		logo: 'https://assets.pulsetop.invalid/entity/orla-the-degen.png',
		type: 'kol',
		labels: ['kol'],
		description: 'Posts entries before they move',
		twitter: 'https://x.com/orladegen',
		website: null,
	},
	{
		name: 'Kaito Candles',
		logo: 'https://assets.pulsetop.invalid/entity/kaito-candles.png',
		type: 'kol',
		labels: ['kol'],
		description: 'Chart streamer',
		twitter: 'https://x.com/kaitocandles',
		website: null,
	},
	{
		name: 'Mama Moon',
		logo: 'https://assets.pulsetop.invalid/entity/mama-moon.png',
		type: 'kol',
		labels: ['kol', 'caller'],
		description: 'Runs a call group',
		twitter: 'https://x.com/mamamoon',
		website: null,
	},
	{
		name: 'Sir Rugsalot',
		logo: 'https://assets.pulsetop.invalid/entity/sir-rugsalot.png',
		type: 'kol',
		labels: ['kol'],
		description: 'Tells rugs from gems, mostly afterwards',
		twitter: 'https://x.com/sirrugsalot',
		website: null,
	},
	{
		name: 'Ledger Lin',
		logo: 'https://assets.pulsetop.invalid/entity/ledger-lin.png',
		type: 'kol',
		labels: ['kol', 'researcher'],
		description: 'On-chain researcher',
		twitter: 'https://x.com/ledgerlin',
		website: 'https://ledgerlin.invalid',
	},
];

/** The program of the wallets from outside the simulation. */
export const OUTSIDE_PLATFORM = 'pulsetop';

/** Programs through which wallets trade; a wallet uses at most one. */
export const PLATFORMS: readonly {readonly id: string; readonly name: string; readonly logo: string}[] = [
	{id: 'swiftbot', name: 'Swiftbot', logo: 'https://assets.pulsetop.invalid/platform/swiftbot.png'},
	{id: 'petrel', name: 'Petrel', logo: 'https://assets.pulsetop.invalid/platform/petrel.png'},
	{id: 'gull-terminal', name: 'Gull Terminal', logo: 'https://assets.pulsetop.invalid/platform/gull-terminal.png'},
	{id: OUTSIDE_PLATFORM, name: 'pulsetop', logo: 'https://assets.pulsetop.invalid/platform/pulsetop.png'},
];
