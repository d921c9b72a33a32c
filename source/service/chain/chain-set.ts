import {randomUUID} from 'node:crypto';
import {type Address, type Hex, type PublicClient, stringToHex} from 'viem';
import {type PrivateKeyAccount, privateKeyToAccount} from 'viem/accounts';
import {once} from '../../contract/schema.ts';
import {PulsetopError, reasonOf} from '../../errors.ts';
import {createJsonRpc, type JsonRpc, type RpcCall} from '../../rpc/json-rpc.ts';
import {startAnvil} from './anvil.ts';
import {findAnvil} from './anvil-binary.ts';
import {bootstrap} from './bootstrap.ts';
import {CHAINS, type ChainInfo, DEFAULT_CHAIN_IDS} from './chains.ts';
import {createChainClient} from './client.ts';
import {type Deployment, planDeployment} from './deployment.ts';
import {type ChainDriver, ChainUnavailable} from './driver.ts';
import {connectExternal} from './external.ts';
import {firstBlock} from './first-block.ts';
import {newPracticeInstance} from './instance.ts';
import {practiceAccounts, ROLES, type Role, type RoleAccounts} from './practice-keys.ts';
import type {Rebroadcaster} from './rebroadcast.ts';
import type {ChainReplica, openSharedChain as OpenSharedChain, SharedChain} from './replica-chains.ts';
import {assertMayAct} from './safety.ts';
import {createSender, type Sender} from './sender.ts';
import {hasState} from './state-file.ts';
import {startWatchdog, type Watchdog} from './watchdog.ts';

/** A real node in place of a practice chain. */
export interface ExternalChain {
	readonly rpcUrl: string;
	/** The private key of the service's account there, or one for each role; without it nothing can be sent. */
	readonly key?: Hex | Readonly<Record<Role, Hex>> | undefined;
	/** Whether missing contracts are deployed at the deployer's cost. */
	readonly deploys?: boolean | undefined;
}

/** Configured chains. */
export interface ChainSetOptions {
	readonly chainIds?: readonly number[] | undefined;
	/** Real chains, by number. */
	readonly external?: ReadonlyMap<number, ExternalChain> | undefined;
	/** Folder of practice chains between runs; without it they end with the process. */
	readonly directory?: string | undefined;
	readonly anvilPath?: string | undefined;
	/** Parts shared with other processes that send with the same accounts: then there are no practice chains. */
	readonly replica?: ChainReplica | undefined;
	readonly log?: ((line: string) => void) | undefined;
}

/** A chain that is ready. */
export interface Chain {
	readonly info: ChainInfo;
	readonly kind: ChainDriver['kind'];
	/**
	 * Distinguishes this chain from others with the same number: a practice chain that was reset has another instance.
	 */
	readonly instance: Hex;
	/**
	 * Changes with each start of a practice chain's node; transactions that the previous node had not mined are lost.
	 */
	readonly run: string;
	readonly addresses: Deployment;
	readonly accounts: RoleAccounts;
	readonly client: PublicClient;
	readonly rpc: JsonRpc;
	/** The transaction queue of an account; roles that share an account share its queue. */
	sender(role: Role): Sender;
}

/** The state of a chain. */
export type ChainState =
	| {readonly state: 'idle' | 'starting' | 'ready'}
	| {readonly state: 'unavailable'; readonly reason: string};

/** The facts about a chain before it is started. */
export interface ChainOutline {
	readonly kind: ChainDriver['kind'];
	/** A practice chain that was never started: every balance on it is 0. */
	readonly isNew: boolean;
	/** Addresses of its contracts, deployed or planned; those of a real chain follow from the service's keys there. */
	readonly addresses?: Deployment;
}

/** The chains of a service, each started when it is first needed. */
export interface ChainSet {
	readonly infos: readonly ChainInfo[];
	state(chainId: number): ChainState;
	/** Starts nothing. @throws ChainUnavailable when the chain is not configured */
	outline(chainId: number): ChainOutline;
	/**
	 * The chain, started when needed. Hold the result for one piece of work only: a restarted chain is another object.
	 * @throws ChainUnavailable
	 */
	ready(chainId: number): Promise<Chain>;
	close(): Promise<void>;
}

/** A failed start is tried again at the next call, but not more often than this. */
const RETRY_MS = 5000;

const NOT_CONFIGURED = 'it is not configured';

interface Slot {
	readonly info: ChainInfo;
	driver?: ChainDriver;
	rpc?: JsonRpc;
	state: ChainState;
	chain?: Promise<Chain>;
	/** By the monotonic clock. */
	failedAtMs?: number;
}

/**
 * A set of chains, none of them started.
 * @throws ChainUnavailable for a number that the service does not know
 */
export function createChainSet(options: ChainSetOptions = {}): ChainSet {
	const ids = [...new Set([...(options.chainIds ?? DEFAULT_CHAIN_IDS), ...(options.external?.keys() ?? [])])];
	const slots = new Map(ids.map(id => [id, newSlot(id)]));
	const rebroadcasters = startRebroadcasters(options).catch(error => {
		options.log?.(`sent transactions are not looked after: ${reasonOf(error)}`);
		return undefined;
	});
	let watchdog: Watchdog | undefined;
	let closed = false;

	const open = async (slot: Slot): Promise<Chain> => {
		slot.state = {state: 'starting'};
		try {
			slot.driver ??= await openDriver(slot);
			slot.rpc ??= savingRpc(slot.driver);
			const {external, replica} = options;
			const chain = await prepare(slot.info, slot.driver, slot.rpc, {external: external?.get(slot.info.id), replica});
			slot.state = {state: 'ready'};
			return chain;
		} catch (error) {
			slot.state = {state: 'unavailable', reason: error instanceof PulsetopError ? error.why : String(error)};
			slot.failedAtMs = performance.now();
			throw error;
		}
	};

	const openDriver = async ({info}: Slot): Promise<ChainDriver> => {
		const external = options.external?.get(info.id);
		if (external) return connectExternal(info.id, external.rpcUrl);
		if (options.replica) throw new ChainUnavailable(info.id, notShared(info));
		const {path, tried} = findAnvil({path: options.anvilPath});
		if (path === undefined) throw new ChainUnavailable(info.id, notFound(tried));
		const {directory, log} = options;
		try {
			watchdog ??= startWatchdog(directory);
		} catch (error) {
			throw new ChainUnavailable(info.id, (error as Error).message, error);
		}
		const driver = await startAnvil({chainId: info.id, binary: path, watchdog, directory, log});
		if (closed) {
			await driver.close();
			throw new ChainUnavailable(info.id, 'the service is stopping');
		}
		driver.onChange(reason => {
			const slot = slots.get(info.id)!;
			if (reason === undefined) begin(slot);
			else slot.state = {state: 'unavailable', reason};
		});
		return driver;
	};

	const begin = (slot: Slot) => {
		slot.chain = open(slot);
		slot.chain.catch(() => {});
	};
	const isDue = (slot: Slot) =>
		slot.chain === undefined ||
		(slot.state.state === 'unavailable' &&
			slot.failedAtMs !== undefined &&
			performance.now() - slot.failedAtMs > RETRY_MS);
	const isExternal = ({info}: Slot) => options.external?.has(info.id) === true;

	return {
		infos: [...slots.values()].map(slot => slot.info),
		state(chainId) {
			const slot = slots.get(chainId);
			if (slot === undefined) return {state: 'unavailable', reason: NOT_CONFIGURED};
			if (slot.state.state !== 'idle' || isExternal(slot)) return slot.state;
			if (options.replica) return {state: 'unavailable', reason: notShared(slot.info)};
			const {path, tried} = findAnvil({path: options.anvilPath});
			return path === undefined ? {state: 'unavailable', reason: notFound(tried)} : slot.state;
		},
		outline(chainId) {
			const slot = slots.get(chainId);
			if (slot === undefined) throw new ChainUnavailable(chainId, NOT_CONFIGURED);
			if (isExternal(slot)) return {kind: 'external', isNew: false};
			if (options.replica) return {kind: 'embedded', isNew: false};
			const {directory} = options;
			const isNew = slot.state.state === 'idle' && (directory === undefined || !hasState(directory, chainId));
			return {kind: 'embedded', isNew, addresses: practiceAddresses()};
		},
		async ready(chainId) {
			const slot = slots.get(chainId);
			if (slot === undefined) throw new ChainUnavailable(chainId, NOT_CONFIGURED);
			if (closed) throw new ChainUnavailable(chainId, 'the service is stopping');
			if (isDue(slot)) begin(slot);
			await slot.chain;
			// The chain may have been lost since it became ready.
			if (slot.state.state === 'unavailable') throw new ChainUnavailable(chainId, slot.state.reason);
			return slot.chain!;
		},
		async close() {
			if (closed) return;
			closed = true;
			await (await rebroadcasters)?.close();
			await Promise.all(
				[...slots.values()].map(async slot => {
					await slot.chain?.catch(() => {});
					await slot.driver?.close();
					await slot.rpc?.close();
				}),
			);
			watchdog?.close();
		},
	};
}

function notFound(tried: readonly string[]): string {
	return `the program anvil was not found; looked in: ${tried.join(', ')}`;
}

function notShared({key}: ChainInfo): string {
	return `replicas share no practice chain: start them with --rpc ${key}=URL`;
}

/** The same on every practice chain. */
const practiceAddresses = once(() => {
	const {solver, faucet, keeper} = practiceAccounts();
	return planDeployment({solver: solver.address, faucet: faucet.address, keeper: keeper.address}).addresses;
});

function newSlot(id: number): Slot {
	const info = CHAINS.get(id);
	if (info === undefined) throw new ChainUnavailable(id, `the service knows ${[...CHAINS.keys()].join(', ')} only`);
	return {info, state: {state: 'idle'}};
}

/** The connection of a chain; reports every call that changes the chain to the driver. */
function savingRpc(driver: ChainDriver): JsonRpc {
	const rpc = createJsonRpc(() => driver.rpcUrl);
	const changes = (method: string) => method === 'eth_sendRawTransaction' || method.startsWith('anvil_set');
	const several =
		<T>(send: (calls: readonly RpcCall[]) => Promise<T>) =>
		async (calls: readonly RpcCall[]): Promise<T> => {
			const results = await send(calls);
			if (calls.some(({method}) => changes(method))) driver.touched();
			return results;
		};
	return {
		...rpc,
		batch: several(rpc.batch),
		outcomes: several(rpc.outcomes),
		async call<T>(method: string, params?: readonly unknown[]) {
			const result = await rpc.call<T>(method, params);
			if (changes(method)) driver.touched();
			return result;
		},
		async forward(body) {
			const answer = await rpc.forward(body);
			if (JSON.stringify(body).includes('eth_sendRawTransaction')) driver.touched();
			return answer;
		},
	};
}

interface Preparation {
	readonly external: ExternalChain | undefined;
	readonly replica: ChainReplica | undefined;
}

async function prepare(
	info: ChainInfo,
	driver: ChainDriver,
	rpc: JsonRpc,
	{external, replica}: Preparation,
): Promise<Chain> {
	const accounts = external ? ownAccounts(info, external) : practiceAccounts();
	for (const role of ROLES) assertMayAct(driver.kind, accounts[role].address);
	const isPractice = driver.kind === 'embedded';
	const deploys = isPractice || external?.deploys === true;
	const instanceAsked = isPractice ? practiceInstance(rpc) : firstBlock(rpc);
	const shared = replica && (await openShared(replica, {info, rpc, instance: await instanceAsked}));
	const senders = new Map<Address, Sender>();
	const senderOf = (account: PrivateKeyAccount): Sender => {
		let sender = senders.get(account.address);
		if (sender === undefined) {
			sender = shared?.senderOf(account) ?? createSender(rpc, info.id, account, {oneByOne: isPractice});
			senders.set(account.address, sender);
		}
		return sender;
	};
	const {deployAlone} = shared ?? {};
	const [addresses, instance] = await Promise.all([
		bootstrap({chainId: info.id, rpc, accounts, isPractice, deploys, senderOf, deployAlone}),
		instanceAsked,
	]);
	return {
		info,
		kind: driver.kind,
		instance,
		run: isPractice ? randomUUID() : instance,
		addresses,
		accounts,
		client: createChainClient(info, rpc),
		rpc,
		sender: role => senderOf(accounts[role]),
	};
}

/** Loads what only replicas need. */
async function openShared(...args: Parameters<typeof OpenSharedChain>): Promise<SharedChain> {
	const {openSharedChain} = await import('./replica-chains.ts');
	return openSharedChain(...args);
}

/** Begins at once to send again what any replica has signed; undefined where no other one sends with the same accounts. */
async function startRebroadcasters({
	replica,
	external,
	log = () => {},
}: ChainSetOptions): Promise<Rebroadcaster | undefined> {
	if (replica === undefined || external === undefined) return undefined;
	const {startRebroadcaster} = await import('./rebroadcast.ts');
	const {database} = replica;
	const started = [...external].map(([id, chain]) => {
		const info = CHAINS.get(id)!;
		const accounts = chain.key === undefined ? [] : Object.values(ownAccounts(info, chain));
		return startRebroadcaster({info, rpcUrl: chain.rpcUrl, accounts, database, log});
	});
	return {close: async () => void (await Promise.all(started.map(one => one.close())))};
}

function ownAccounts({id}: ChainInfo, {key}: ExternalChain): RoleAccounts {
	if (key === undefined) throw new ChainUnavailable(id, 'no key of the service is configured for this real chain');
	return Object.fromEntries(
		ROLES.map(role => [role, privateKeyToAccount(typeof key === 'string' ? key : key[role])]),
	) as RoleAccounts;
}

/** The storage slot of a practice chain's instance mark, at an address without a known key. */
const MARK_PLACE = [stringToHex('pulsetop instance', {size: 20}), '0x0'] as const;

/**
 * A practice chain's instance mark, made when the chain is new. The first block cannot serve as a mark: two of them
 * differ by the second only.
 */
async function practiceInstance(rpc: JsonRpc): Promise<Hex> {
	const mark = await rpc.call<Hex>('eth_getStorageAt', [...MARK_PLACE, 'latest']);
	if (BigInt(mark) !== 0n) return mark;
	const fresh = newPracticeInstance();
	await rpc.call('anvil_setStorageAt', [...MARK_PLACE, fresh]);
	return fresh;
}
