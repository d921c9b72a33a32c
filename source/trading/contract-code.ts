import {type ChainReader, ChainUnread, NodeRefused} from './chain-reader.ts';

/*
 * The code at an address, read on the user's node. A contract is identified by its code: the address alone says nothing about
 * the behaviour of a contract, and the code behind a proxy can be exchanged.
 */

/** A contract as its chain shows it now. Hex in lower case. */
export interface ContractCode {
	readonly address: string;
	/** - `plain` ordinary code; `clone` a minimal proxy whose target is fixed (EIP-1167); `proxy` one whose target can be changed */
	readonly kind: 'plain' | 'clone' | 'proxy';
	/** keccak256 of the code; of a clone or proxy over the code of its target too. */
	readonly hash: string;
	/** keccak256 of code and address: compared and typed to accept the contract. */
	readonly fingerprint: string;
	/** The address that a clone or proxy calls. */
	readonly implementation?: string;
	/** Bytes at the address itself. */
	readonly size: number;
}

/** An address that cannot be accepted as a contract, and why. */
export interface NoContract {
	readonly address: string;
	readonly kind: 'none' | 'delegation' | 'empty-proxy';
	readonly why: string;
}

/** Storage slots of proxy targets: EIP-1967 implementation and beacon, EIP-1822, and old OpenZeppelin. */
const IMPLEMENTATION_SLOTS = [
	'0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
	'0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
	'0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
] as const;
const BEACON_SLOT = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
const ADMIN_SLOT = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103';
/** `implementation()`, which beacons answer. */
const IMPLEMENTATION = '0x5c60da1b';

const DELEGATION = /^0xef0100[0-9a-f]{40}$/;
const CLONE = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/;

/** Reads the code at an address. @throws ChainUnread */
export async function readContract(
	chains: ChainReader,
	chainId: string,
	address: string,
): Promise<ContractCode | NoContract> {
	const at = address.toLowerCase();
	const [code, admin, beacon, ...slots] = await Promise.all([
		codeAt(chains, chainId, at),
		slotAt(chains, chainId, at, ADMIN_SLOT),
		slotAt(chains, chainId, at, BEACON_SLOT),
		...IMPLEMENTATION_SLOTS.map(slot => slotAt(chains, chainId, at, slot)),
	]);
	if (code === '0x') return {address: at, kind: 'none', why: 'there is no code at this address'};
	if (DELEGATION.test(code))
		return {
			address: at,
			kind: 'delegation',
			why: `it is an account that lends its code from 0x${code.slice(8)} (EIP-7702), and can change that`,
		};
	const fixed = CLONE.exec(code)?.[1];
	const implementation =
		fixed === undefined
			? (slots.find(slot => slot !== undefined) ?? (beacon && (await implementationOf(chains, chainId, beacon))))
			: `0x${fixed}`;
	if (implementation === undefined && admin === undefined && beacon === undefined) return contract(at, 'plain', [code]);
	const called = implementation === undefined ? '0x' : await codeAt(chains, chainId, implementation);
	if (called === '0x') return {address: at, kind: 'empty-proxy', why: 'it calls another contract that has no code'};
	return contract(at, fixed === undefined ? 'proxy' : 'clone', [code, called], implementation);
}

/** Whether something may be accepted at all. */
export function isContract(found: ContractCode | NoContract): found is ContractCode {
	return 'hash' in found;
}

/** The kind of a contract, for the user who accepts it. */
export function describeContract({kind, implementation, size}: ContractCode): string {
	switch (kind) {
		case 'plain':
			return `${size} bytes of code that cannot be changed through a known proxy slot`;
		case 'clone':
			return `a minimal clone (EIP-1167) of ${implementation}`;
		case 'proxy':
			return `A PROXY: its owner can exchange the code, now that of ${implementation}`;
	}
}

async function contract(
	address: string,
	kind: ContractCode['kind'],
	codes: readonly string[],
	implementation?: string,
): Promise<ContractCode> {
	const {concatHex, keccak256} = await import('viem/utils');
	const parts = codes as `0x${string}`[];
	return {
		address,
		kind,
		hash: keccak256(concatHex(parts)),
		fingerprint: keccak256(concatHex([...parts, address as `0x${string}`])),
		...(implementation === undefined ? {} : {implementation}),
		size: codes[0]!.length / 2 - 1,
	};
}

async function codeAt(chains: ChainReader, chainId: string, address: string): Promise<string> {
	return hexOf(chainId, await chains.request(chainId, 'eth_getCode', [address, 'latest']));
}

/** The address that a slot holds; undefined for none. */
async function slotAt(
	chains: ChainReader,
	chainId: string,
	address: string,
	slot: string,
): Promise<string | undefined> {
	return addressIn(hexOf(chainId, await chains.request(chainId, 'eth_getStorageAt', [address, slot, 'latest'])));
}

async function implementationOf(chains: ChainReader, chainId: string, beacon: string): Promise<string | undefined> {
	const call = {to: beacon, data: IMPLEMENTATION};
	try {
		return addressIn(hexOf(chainId, await chains.request(chainId, 'eth_call', [call, 'latest'])));
	} catch (error) {
		// Not a beacon: the target of the proxy is unknown, so the proxy is refused.
		if (error instanceof NodeRefused) return undefined;
		throw error;
	}
}

function addressIn(word: string): string | undefined {
	const address = word.slice(2).padStart(64, '0').slice(-40);
	return /[1-9a-f]/.test(address) ? `0x${address}` : undefined;
}

function hexOf(chainId: string, value: unknown): string {
	if (typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value)) return value.toLowerCase();
	throw new ChainUnread(chainId, 'its node gave no bytes where some were due');
}
