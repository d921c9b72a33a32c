import type {EndpointId} from './endpoints.ts';

/*
 * A request for each call that takes one, for the OpenAPI document. Each fits its schema; signatures and prepared texts stand for
 * those that only a wallet or the service can make.
 */

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const USDC_BASE = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const USDC_ARBITRUM = '0xaf88d065e77c8cC2239327C5EDb3A432268e5831';
const INTENT = '7f8d1c0e-2b5a-4c3e-9b6f-0a1d2c3e4f50';
const SIGNATURE = `0x${'11'.repeat(64)}1b`;
const SIGNED = {timestamp: 1_790_000_000_000, signature: SIGNATURE};
const ORDER = {dex: 'dexB', chainId: 'dexB:304', marketId: 'ETH-USD'};
const MARKET = {platform: 'polymarket', marketId: '0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1'};
const API_KEY = 'pt_example';
const VIEWS = [{name: 'new', model: 'new', limit: 10, filters: {market_cap: {gte: 50_000}}}];

interface ExampleRequest {
	readonly params?: Readonly<Record<string, unknown>>;
	readonly query?: Readonly<Record<string, unknown>>;
	readonly body?: Readonly<Record<string, unknown>>;
}

/** An example request of each call with parameters or a body. */
export const EXAMPLES: Readonly<Partial<Record<EndpointId, ExampleRequest>>> = {
	pulse: {body: {assetMode: true, chainId: ['evm:8453', 'solana:solana'], views: VIEWS}},
	pulseDefault: {query: {chainId: 'evm:8453', assetMode: 'true'}},
	pulsePagination: {body: {assetMode: true, views: VIEWS}},
	walletLabels: {body: {walletAddresses: [WALLET], tokenAddress: USDC_BASE}},
	sparkline: {query: {symbol: 'SOL', timeFrame: '24h'}},
	webhookList: {query: {apiKey: API_KEY}},
	webhookCreate: {
		body: {
			name: 'new on Base',
			chainIds: ['evm:8453'],
			events: ['launchpad'],
			apiKey: API_KEY,
			url: 'https://example.com/hook',
		},
	},
	webhookUpdate: {body: {streamId: INTENT, apiKey: API_KEY, mode: 'replace', filters: null}},
	webhookDelete: {params: {id: INTENT}, query: {apiKey: API_KEY}},
	webhookDeliveries: {params: {id: INTENT}, query: {apiKey: API_KEY}},
	webhookRedeliver: {params: {id: INTENT}, body: {apiKey: API_KEY}},

	bridgeQuote: {
		query: {
			originChainId: 'evm:42161',
			destinationChainId: 'evm:8453',
			originToken: USDC_ARBITRUM,
			destinationToken: USDC_BASE,
			amount: '25',
			walletAddress: WALLET,
			senderAddress: WALLET,
			gasless: 'true',
		},
	},
	bridgeExecute: {
		body: {
			originChainId: 'evm:42161',
			intentId: INTENT,
			authority: WALLET,
			calls: [{to: USDC_ARBITRUM, value: '0', data: '0x095ea7b3'}],
			batchNonce: '0',
			deadline: '1790000300',
			gasToken: USDC_ARBITRUM,
			minBalance: '25000000',
			batchSignature: SIGNATURE,
			authorizationList: [],
		},
	},
	bridgeStatus: {params: {intentId: INTENT}},
	bridgeStatusWait: {params: {intentId: INTENT}},
	bridgeHistory: {query: {walletAddress: WALLET}},

	perpCancelOrder: {body: {...SIGNED, ...ORDER, orderIndex: '7'}},
	perpCreateOrder: {
		body: {
			...SIGNED,
			dexes: ['dexB'],
			baseToken: 'ETH',
			quote: 'USD',
			leverage: 5,
			long: true,
			reduceOnly: false,
			collateralAmount: 50,
			orderType: 'limit',
			openPrice: 1000,
		},
	},
	perpClosePosition: {body: {...SIGNED, ...ORDER, closePercentage: 50}},
	perpEditOrder: {body: {...SIGNED, ...ORDER, newTp: 4000}},
	perpUpdateMargin: {body: {...SIGNED, ...ORDER, usdcAmount: 10, increase: true}},
	perpWithdraw: {body: {...SIGNED, dex: 'dexB', chainId: 'dexB:304', amountUsdc: '10'}},
	perpDeposit: {
		body: {...SIGNED, dex: 'dexB', chainId: 'dexB:304', originChainId: 'evm:42161', amountUsdc: '100'},
	},
	perpCreateAccount: {body: {...SIGNED, dex: 'dexB', chainId: 'dexB:304'}},
	perpExecute: {
		body: {
			...SIGNED,
			...ORDER,
			action: 'cancel-order',
			transport: 'offchain-api',
			payloadStr:
				'{"action":"cancel-order","dex":"dexB","chainId":"dexB:304","marketId":"ETH-USD","transport":"offchain-api","payload":{}}',
		},
	},
	perpCheckProcess: {query: {processId: INTENT}},
	perpUnfilled: {query: {wallet: WALLET}},
	perpOpen: {query: {wallet: WALLET}},

	marketsBatch: {body: {items: [MARKET]}},
	marketDetails: {query: MARKET},
	vaultStatus: {query: {wallet: WALLET}},
	withdrawBuild: {body: {address: WALLET, amount: 10}},
	depositBuild: {body: {address: WALLET, amount: 10}},
	deployBuild: {body: {address: WALLET}},
	deploySubmit: {body: {address: WALLET, signature: SIGNATURE}},

	devRpc: {params: {chainId: 'evm:8453'}, body: {jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: []}},
	devFaucet: {body: {chainId: 'evm:42161', address: WALLET, token: 'native'}},
};
