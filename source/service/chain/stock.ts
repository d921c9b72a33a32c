import {type Address, formatUnits} from 'viem';
import {Token} from './artifacts.generated.ts';
import type {Chain} from './chain-set.ts';

/** The tokens that the bridge carries from and to a chain. */
export function carriedTokens({usdc, dai}: {readonly usdc: Address; readonly dai: Address}) {
	return [
		{address: usdc, symbol: 'USDC', decimals: 6},
		{address: dai, symbol: 'DAI', decimals: 18},
	] as const;
}

/**
 * Tokens and permissions that the accounts of the service lack on a real chain, a sentence each: they are not funded automatically there.
 * Without the solver's tokens, or its permission for the bridge to take them, each transfer to the chain is refunded.
 */
export async function missingStock({accounts, addresses, client, info}: Chain): Promise<string[]> {
	const {solver} = accounts;
	const senders = new Map(
		(['sponsor', 'solver'] as const).map(role => [accounts[role].address, role === 'solver' ? 'solver' : 'sponsor']),
	);
	const coins = [...senders].map(async ([address, role]) =>
		(await client.getBalance({address})) > 0n
			? []
			: [`the ${role} ${address} has no ${info.nativeSymbol} on ${info.key} to pay for gas`],
	);
	const tokens = carriedTokens(addresses).map(async ({address, symbol, decimals}) => {
		const token = {abi: Token.abi, address} as const;
		const [held, allowed] = await Promise.all([
			client.readContract({...token, functionName: 'balanceOf', args: [solver.address]}),
			client.readContract({...token, functionName: 'allowance', args: [solver.address, addresses.bridge]}),
		]);
		const name = `${symbol} (${address}) on ${info.key}`;
		if (held === 0n) return [`the solver ${solver.address} holds no ${name}`];
		if (allowed >= held) return [];
		const amount = allowed === 0n ? 'none' : `only ${formatUnits(allowed, decimals)}`;
		return [`the solver ${solver.address} lets the bridge ${addresses.bridge} take ${amount} of its ${name}`];
	});
	return (await Promise.all([...coins, ...tokens])).flat();
}
