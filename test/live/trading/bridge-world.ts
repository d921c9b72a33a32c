import {join} from 'node:path';
import {expect} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import {createClient} from '../../../source/client/create-client.ts';
import type {Market} from '../../../source/service/market/market.ts';
import {startService} from '../../../source/service/server.ts';
import {type BridgeFlow, createBridgeFlow} from '../../../source/trading/bridge/flow.ts';
import {type Caps, openCaps} from '../../../source/trading/caps.ts';
import {type ChainReader, createChainReader} from '../../../source/trading/chain-reader.ts';
import {type Journal, openJournal} from '../../../source/trading/journal.ts';
import {openKeystore} from '../../../source/trading/keystore.ts';
import {openPins, type Pins} from '../../../source/trading/pins.ts';
import {fundPracticeWallet, listPracticeChains} from '../../../source/trading/practice-funds.ts';
import {createSigner, type Signer} from '../../../source/trading/signer.ts';
import {TRADES} from '../../../source/trading/trade/policy.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {TinyMarket} from '../../service/helpers/tiny-market.ts';

/** A service with real practice chains, and people who use it. */
export interface BridgeWorld {
	readonly url: string;
	readonly apiKey: string;
	readonly client: Client;
	readonly chains: ChainReader;
	/** Contracts of a chain by name. */
	contracts(chainId: string): Readonly<Record<string, string>>;
	person(options?: {funds?: boolean}): Promise<Person>;
	/** 50 USDC from Base to Arbitrum. */
	input(more?: object): Parameters<BridgeFlow['quote']>[0];
	/** A quote with every contract accepted, every check passed, and its amount typed. */
	ready(flow: BridgeFlow): Promise<void>;
	close(): Promise<void>;
}

/** A person at the keyboard: a funded practice wallet, and everything that a flow needs. */
export interface Person {
	readonly dir: string;
	readonly signer: Signer;
	readonly address: string;
	readonly journal: Journal;
	readonly caps: Caps;
	readonly pins: Pins;
	flow(more?: Partial<Parameters<typeof createBridgeFlow>[0]>): BridgeFlow;
}

export async function openBridgeWorld(market: Market = new TinyMarket()): Promise<BridgeWorld> {
	const service = await startService({
		market,
		chains: {chainIds: [8453, 42161]},
		// The speed of the machine must not decide whether a read is refused.
		limits: {requestsPerSecond: 5000, requestBurst: 5000},
	});
	const apiKey = service.apiKeys[0]!;
	const client = createClient({baseUrl: service.url, streamUrl: null, apiKey});
	const practice = await listPracticeChains({baseUrl: service.url, apiKey});
	const contracts = (chainId: string) => practice.find(chain => chain.chainId === chainId)!.contracts;
	const usdc = (chainId: string) => contracts(chainId)['usdc']!;
	const chains = createChainReader({
		urlOf: chainId => `${service.url}/dev/rpc/${chainId}`,
		headers: {authorization: apiKey},
	});

	async function person({funds = true}: {funds?: boolean} = {}): Promise<Person> {
		const dir = temporaryDirectory();
		const keystore = openKeystore(dir, 'practice');
		await keystore.create('me');
		const pins = openPins(join(dir, 'pins.json'));
		const journal = openJournal(join(dir, 'journal.jsonl'));
		const caps = openCaps(join(dir, 'caps.json'), {journal: openJournal(join(dir, 'spent.jsonl'))});
		const signer = createSigner({keystore, name: 'me', caps});
		const address = await signer.unlock();
		if (funds) {
			const token = usdc('evm:8453');
			await fundPracticeWallet({baseUrl: service.url, apiKey, chainId: 'evm:8453', address, token});
		}
		const {call, clock} = client;
		const options = {call, clock, signer, address, chains, caps, pins, journal, pollMs: 20};
		return {
			dir,
			signer,
			address,
			journal,
			caps,
			pins,
			flow: more => createBridgeFlow({...options, trades: TRADES, ...more}),
		};
	}

	const input = (more = {}) => ({
		originChainId: 'evm:8453',
		originToken: usdc('evm:8453'),
		amount: '50',
		destinationChainId: 'evm:42161',
		destinationToken: usdc('evm:42161'),
		...more,
	});

	return {
		url: service.url,
		apiKey,
		client,
		chains,
		contracts,
		person,
		input,
		async ready(flow) {
			await flow.quote(input());
			await acceptAll(flow);
			expect(flow.view.checks.filter(check => !check.ok)).toEqual([]);
			flow.confirm('50');
		},
		async close() {
			await client.close();
			await service.close();
		},
	};
}

/** Types what a first use needs. */
export async function acceptAll(flow: BridgeFlow): Promise<void> {
	for (const {role, fingerprint} of [...flow.view.toAccept]) await flow.accept(role, fingerprint.slice(-6));
}
