import {
	type Address,
	concatHex,
	encodeAbiParameters,
	encodeDeployData,
	getContractAddress,
	type Hex,
	pad,
	stringToHex,
} from 'viem';
import {
	Amm,
	BatchExecutor,
	Bridge,
	MarketVenue,
	PerpExchange,
	SwapBridge,
	Token,
	Vault,
	VaultFactory,
} from './artifacts.generated.ts';

/**
 * The deployer at the same address on every chain: it creates each contract at an address that follows from the
 * contract's code.
 */
export const CREATE2_DEPLOYER: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

const SALT = pad(stringToHex('pulsetop/1'), {size: 32, dir: 'right'});

/** Addresses of all contracts. The same on all chains, since nothing about a chain enters them. */
export interface Deployment {
	readonly batchExecutor: Address;
	readonly bridge: Address;
	readonly swapBridge: Address;
	readonly amm: Address;
	/** Where launches of the simulated market are traded. */
	readonly venue: Address;
	readonly perpExchange: Address;
	readonly vaultFactory: Address;
	/** The token that the bridge carries: 6 decimals. */
	readonly usdc: Address;
	/** A token that is swapped before it is bridged: 18 decimals. */
	readonly dai: Address;
}

export type ContractName = keyof Deployment;

/** Accounts with rights in the contracts. */
export interface Owners {
	/** Fills, settles and refunds. */
	readonly solver: Address;
	/** Makes test tokens. */
	readonly faucet: Address;
	/** Sets prices of the perp exchange. */
	readonly keeper: Address;
}

/** A deployment and how to make it. */
export interface Plan {
	readonly addresses: Deployment;
	/** For each contract the data to send to CREATE2_DEPLOYER, in order of dependency. */
	readonly creations: ReadonlyMap<ContractName, Hex>;
}

/** Plans the deployment for given owners. Contracts with owners have other addresses for other owners. */
export function planDeployment({solver, faucet, keeper}: Owners): Plan {
	const creations = new Map<ContractName, Hex>();
	const plan = (name: ContractName, initCode: Hex): Address => {
		creations.set(name, concatHex([SALT, initCode]));
		return getContractAddress({opcode: 'CREATE2', from: CREATE2_DEPLOYER, salt: SALT, bytecode: initCode});
	};
	const token = (name: string, symbol: string, decimals: number) =>
		encodeDeployData({abi: Token.abi, bytecode: Token.init, args: [name, symbol, decimals, faucet]});

	const usdc = plan('usdc', token('Practice USD Coin', 'USDC', 6));
	const dai = plan('dai', token('Practice Dai', 'DAI', 18));
	const bridge = plan('bridge', encodeDeployData({abi: Bridge.abi, bytecode: Bridge.init, args: [solver]}));
	const venue = plan('venue', encodeDeployData({abi: MarketVenue.abi, bytecode: MarketVenue.init, args: [usdc]}));
	const amm = plan('amm', encodeDeployData({abi: Amm.abi, bytecode: Amm.init, args: [usdc, dai]}));
	return {
		addresses: {
			usdc,
			dai,
			bridge,
			amm,
			venue,
			swapBridge: plan(
				'swapBridge',
				encodeDeployData({abi: SwapBridge.abi, bytecode: SwapBridge.init, args: [bridge, amm, venue]}),
			),
			batchExecutor: plan('batchExecutor', BatchExecutor.init),
			perpExchange: plan(
				'perpExchange',
				encodeDeployData({abi: PerpExchange.abi, bytecode: PerpExchange.init, args: [keeper, usdc]}),
			),
			vaultFactory: plan('vaultFactory', VaultFactory.init),
		},
		creations,
	};
}

/** The address of an owner's prediction account: the same on every chain, and known before the account is deployed. */
export function accountAddressOf(factory: Address, owner: Address): Address {
	return getContractAddress({
		opcode: 'CREATE2',
		from: factory,
		salt: pad(owner, {size: 32}),
		bytecode: concatHex([Vault.init, encodeAbiParameters([{type: 'address'}], [owner])]),
	});
}
