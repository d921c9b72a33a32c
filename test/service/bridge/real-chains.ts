import {encodeFunctionData, type Hex, maxUint256} from 'viem';
import {generatePrivateKey, privateKeyToAccount} from 'viem/accounts';
import {createJsonRpc} from '../../../source/rpc/json-rpc.ts';
import {startAnvil} from '../../../source/service/chain/anvil.ts';
import {findAnvil} from '../../../source/service/chain/anvil-binary.ts';
import {Token} from '../../../source/service/chain/artifacts.generated.ts';
import {type Chain, createChainSet, type ExternalChain} from '../../../source/service/chain/chain-set.ts';
import type {Role} from '../../../source/service/chain/practice-keys.ts';
import {startWatchdog} from '../../../source/service/chain/watchdog.ts';
import {mined, mint, USDC} from '../chain/practice.ts';

/** Two chains that are real as far as the service knows, with the contracts of the service and what its solver pays with. */
export interface RealChains {
	readonly external: ReadonlyMap<number, ExternalChain>;
	readonly base: Chain;
	readonly arbitrum: Chain;
	close(): Promise<void>;
}

const ETHER_1000 = '0x3635c9adc5dea00000';

export async function openRealChains(): Promise<RealChains> {
	const watchdog = startWatchdog();
	const anvils = await Promise.all(
		[8453, 42161].map(chainId => startAnvil({chainId, binary: findAnvil().path!, watchdog})),
	);
	const roles: Role[] = ['sponsor', 'solver', 'faucet', 'keeper', 'deployer'];
	const key = Object.fromEntries(roles.map(role => [role, generatePrivateKey()])) as Record<Role, Hex>;
	for (const {rpcUrl} of anvils) {
		const rpc = createJsonRpc(() => rpcUrl);
		for (const role of roles) await rpc.call('anvil_setBalance', [privateKeyToAccount(key[role]).address, ETHER_1000]);
		await rpc.close();
	}
	const external = new Map(anvils.map(({chainId, rpcUrl}) => [chainId, {rpcUrl, key, deploys: true}]));
	const chains = createChainSet({chainIds: [], external});
	const [base, arbitrum] = await Promise.all([chains.ready(8453), chains.ready(42161)]);
	const solver = arbitrum.sender('solver');
	await mint(arbitrum, solver.address, 1_000_000n * USDC);
	const data = encodeFunctionData({
		abi: Token.abi,
		functionName: 'approve',
		args: [arbitrum.addresses.bridge, maxUint256],
	});
	await mined(arbitrum, await solver.send({to: arbitrum.addresses.usdc, data, gas: 150_000n}));
	return {
		external,
		base,
		arbitrum,
		async close() {
			await chains.close();
			await Promise.all(anvils.map(anvil => anvil.close()));
			watchdog.close();
		},
	};
}
