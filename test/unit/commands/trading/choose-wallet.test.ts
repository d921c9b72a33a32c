import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {COMMAND_LINE} from '../../../../source/commands/command-table.ts';
import {readCommandLine} from '../../../../source/commands/line/command-line.ts';
import {chooseWallet, type TradingContext} from '../../../../source/commands/trading/context.ts';
import {loadConfig} from '../../../../source/config/config.ts';
import {openKeystore} from '../../../../source/trading/keystore.ts';
import {temporaryDirectory} from '../../../helpers/temporary-directory.ts';

const PASSPHRASE = 'correct horse battery staple';

/** Wallets for real money, and how a command chooses one of them. */
async function wallets(...names: readonly string[]) {
	const dir = temporaryDirectory();
	const keystore = openKeystore(dir, 'real', {cost: 1024});
	for (const name of names) await keystore.create(name, Buffer.from(PASSPHRASE));
	const trading = {keystore, choose: (name: string) => ({name})};
	return {
		fileOf: (name: string) => join(dir, 'real', 'keys', `${name}.json`),
		addressOf: (name: string) => keystore.list().find(row => row.name === name)!.address,
		choose: async (...argv: readonly string[]) => {
			const {flags} = readCommandLine(['market', 'status', ...argv], COMMAND_LINE);
			const config = await loadConfig({flags: flags.values(), env: {HOME: dir}});
			return chooseWallet({trading} as unknown as TradingContext, config, flags);
		},
	};
}

test('the only wallet is chosen without a name, another one by its name', async () => {
	const one = await wallets('main');
	expect(await one.choose()).toMatchObject({name: 'main', address: one.addressOf('main')});
	const two = await wallets('main', 'spare');
	expect(await two.choose('--wallet', 'spare')).toMatchObject({name: 'spare', address: two.addressOf('spare')});
	expect(two.addressOf('spare')).not.toBe(two.addressOf('main'));
});

test('several wallets without a name, none, and a name that is none are refused with the names that there are', async () => {
	const two = await wallets('main', 'spare');
	await expect(two.choose()).rejects.toMatchObject({why: 'name one with --wallet: main, spare'});
	await expect(two.choose('--wallet', 'mian')).rejects.toMatchObject({message: 'There is no such wallet'});
	await expect((await wallets()).choose()).rejects.toMatchObject({
		code: 'wallet-name',
		why: expect.stringContaining('wallet create'),
	});
});

test('a wallet whose file does not name its address is refused before it is unlocked', async () => {
	const one = await wallets('main');
	const {address: _, ...rest} = JSON.parse(readFileSync(one.fileOf('main'), 'utf8'));
	writeFileSync(one.fileOf('main'), JSON.stringify(rest), {mode: 0o600});
	await expect(one.choose()).rejects.toMatchObject({
		message: 'This wallet cannot be used',
		why: expect.stringContaining('does not name its address'),
	});
});
