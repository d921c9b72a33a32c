import {type Address, encodeFunctionData, type Hash, isAddressEqual, parseEther, toHex} from 'viem';
import {PulsetopError} from '../../errors.ts';
import {Token} from './artifacts.generated.ts';
import type {Chain} from './chain-set.ts';

/** The faucet cannot give what was requested. */
export class NoFaucet extends PulsetopError {
	readonly code = 'no-faucet';

	constructor(why: string) {
		super('The faucet gives nothing here', {
			why,
			next: 'fix-input',
			advice: 'GET /dev/chains lists the practice chains and their tokens.',
		});
	}
}

/** The amount of one call, in whole units of a token; and coins for gas. */
export const FAUCET_UNITS = 1000n;
const FAUCET_COINS = parseEther('1');

/** A gift of the faucet. */
export interface Given {
	/** Raw units. */
	readonly amountRaw: bigint;
	/** Hash of the minting transaction; coins are made without one. */
	readonly txHash?: Hash;
}

/**
 * Gives test tokens on a practice chain.
 * @param token a token of the deployment; `native` for coins, which a sponsored bridge does not need
 * @throws NoFaucet on a real chain and for other tokens, SendRejected and SendUncertain
 */
export async function give(chain: Chain, to: Address, token: Address | 'native'): Promise<Given> {
	if (chain.kind !== 'embedded') throw new NoFaucet(`${chain.info.key} is a real chain`);
	if (token === 'native') {
		const balance = BigInt(await chain.rpc.call<string>('eth_getBalance', [to, 'latest']));
		await chain.rpc.call('anvil_setBalance', [to, toHex(balance + FAUCET_COINS)]);
		return {amountRaw: FAUCET_COINS};
	}
	const known = [
		{address: chain.addresses.usdc, decimals: 6n},
		{address: chain.addresses.dai, decimals: 18n},
	].find(({address}) => isAddressEqual(address, token));
	if (known === undefined) throw new NoFaucet(`${token} is no test token of ${chain.info.key}`);
	const amountRaw = FAUCET_UNITS * 10n ** known.decimals;
	const data = encodeFunctionData({abi: Token.abi, functionName: 'mint', args: [to, amountRaw]});
	const txHash = await chain.sender('faucet').send({to: token, data, gas: 150_000n});
	return {amountRaw, txHash};
}
