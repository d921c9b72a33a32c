import {isEvmAddress} from '../../address.ts';
import type {Client} from '../../client/client.ts';
import type {Call} from '../line/command.ts';
import {UsageError} from '../line/usage-error.ts';
import {jsonText, print} from '../output/output.ts';
import {serviceConfig} from '../service/followed.ts';
import {moneyModeOf} from '../service/money-mode.ts';
import {withClient} from '../service/with-client.ts';
import {chooseWallet, withTrading} from '../trading/context.ts';
import {factsText} from '../trading/output.ts';

/** `pulsetop market status [ADDRESS]`: prints the prediction account of a wallet, as the service reports it (contract gaps 6.2). @returns the exit code */
export async function marketStatus({flags, operands, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const [address, ...others] = operands;
	if (others.length > 0)
		throw new UsageError('One address is enough', 'Without one the account of your wallet is shown.');
	if (address !== undefined && !isEvmAddress(address))
		throw new UsageError('This is not the address of a wallet', 'It must be 0x and 40 hexadecimal digits.');
	const {wallet, account} =
		address !== undefined
			? await withClient(
					serviceConfig(config),
					async client => ({wallet: {address}, account: await accountAt(client, address)}),
					{
						history: 'on-demand',
					},
				)
			: await withTrading(config, async context => {
					const {name, address: chosen} = await chooseWallet(context, config, flags);
					return {wallet: {name, address: chosen}, account: await accountAt(context.client, chosen)};
				});
	if (flags.has('json'))
		await print(jsonText({schema: 'pulsetop.market-status/1', mode: await moneyModeOf(config), wallet, account}));
	else {
		const unknown = config.ui.ascii ? '-' : '–';
		await print(
			factsText([
				{label: 'wallet', text: wallet.address},
				{label: 'account', text: account.address},
				{label: 'state', text: account.isDeployed ? 'deployed' : 'not deployed yet: pulsetop market deploy'},
				{label: 'USDC.e', text: account.balances.usdce ?? unknown},
				{label: 'pUSD', text: account.balances.pusd ?? unknown},
			]),
		);
	}
	return 0;
}

async function accountAt({call}: Client, wallet: string) {
	const {data} = await call('vaultStatus', {query: {wallet}});
	const {deployed: isDeployed, vaultAddress, usdceBalance, pusdBalance} = data;
	const balances = {...reported('usdce', usdceBalance), ...reported('pusd', pusdBalance)};
	return {address: vaultAddress, isDeployed, balances};
}

/** A balance, absent where the service does not report one: unknown is not 0. */
function reported<Name extends string>(
	name: Name,
	balance: string | number | null | undefined,
): {[N in Name]?: string} {
	return (balance === undefined || balance === null ? {} : {[name]: String(balance)}) as {[N in Name]?: string};
}
