import {expect, test} from 'vitest';
import {COMMAND_LINE} from '../../../source/commands/command-table.ts';
import {readCommandLine} from '../../../source/commands/line/command-line.ts';
import {exitCodeOf} from '../../../source/commands/process/exit-code.ts';
import {loadConfig} from '../../../source/config/config.ts';
import {explain} from '../../../source/errors.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

/** Runs a command with a service that does not exist; returns its failure and exit code. */
async function failureOf(...argv: readonly string[]): Promise<readonly [code: number, text: string]> {
	try {
		const {path, flags, operands} = readCommandLine(
			[...argv, '--base-url', 'http://127.0.0.1:1', '--api-key', 'k'],
			COMMAND_LINE,
		);
		const readConfig = () => loadConfig({flags: flags.values(), env: {HOME: temporaryDirectory()}});
		await path.at(-1)!.run!({readConfig, flags, operands, grammar: COMMAND_LINE});
	} catch (error) {
		const explanation = explain(error);
		return [exitCodeOf(explanation), `${explanation.what}: ${explanation.why}`];
	}
	return [0, ''];
}

const CREATE = ['create', 'w', '--url', 'https://example.com', '--show-secret'];

const WITHDRAW = ['market', 'withdraw', '--amount', '1'];

test.each([
	[['serve', '--store', 'postgres://u:hunter2@localhost/d'], 2, '--store has a password in it'],
	[['serve', '--store-password-file', 'f'], 2, '--store-password-file needs --store'],
	[['feed', '--format', 'jsn'], 2, 'The nearest is "json"'],
	[['feed', '--limit', '101'], 2, 'from 1 to 100'],
	[['feed', '--follow', '--format', 'csv'], 2, '--follow and --format csv exclude each other'],
	[['market', 'show'], 2, 'No market is given'],
	[['market', 'show', 'nonsense'], 2, 'An id is PLATFORM:MARKET'],
	[['market', 'status', '0x12'], 2, 'not the address of a wallet'],
	[['market', 'deploy'], 2, 'There is no terminal to confirm the transaction'],
	[['market', 'deploy', '--yes'], 2, '--yes needs --plan HASH'],
	[['market', 'deploy', '--plan', 'x'], 2, 'There is no terminal to confirm the transaction'],
	[['market', 'deploy', '--plan', 'x', '--dry-run'], 2, '--plan and --dry-run exclude each other'],
	[['perp', 'cancel'], 2, 'There is no terminal to confirm the cancel'],
	[['perp', 'cancel', '--dry-run'], 2, 'One order is needed'],
	[['perp', 'cancel', '4', '--yes'], 2, '--yes needs --plan HASH'],
	[['bridge', 'execute', '--yes'], 2, '--yes needs --plan HASH'],
	[['bridge', 'execute', '--plan', 'x', '--dry-run'], 2, '--plan and --dry-run exclude each other'],
	[['sparkline', 'SOL', '--time-frame', '99x'], 2, 'It must be one of 5min, 15min, 1h, 4h, 6h, 12h, 24h, 7d, 30d.'],
	[['webhook', 'delete', 'x', '--yes'], 2, 'webhook delete does not take --yes: pulsetop webhook delete --help lists'],
	[['market', 'withdraw', '--dry-run'], 2, '--amount is missing'],
	[['wallet', 'limits', '--practice', '--per-day', '5'], 2, 'One token is needed'],
	[['wallet', 'limits', 'evm:56:BNB', '--practice', '--per-day', '5'], 2, 'The token is not named by its address'],
	[['wallet', 'limits', 'evm:56:native', '--practice', '--per-day', '1e5'], 2, '--per-day'],
	[[...WITHDRAW, '--yes', '--plan', 'x', '--accept', 'factory=12'], 2, 'Write ROLE=LAST6'],
	[[...WITHDRAW, '--yes', '--plan', 'x', '--read-only'], 3, 'read-only is set'],
] as const)('%j ends with %i, and says: %s', async (argv, code, words) => {
	expect(await failureOf(...argv)).toEqual([code, expect.stringContaining(words)]);
});

test.each([
	[['create', 'w', '--url', 'https://example.com'], 2, 'The secret of a webhook is shown once'],
	[['create', '--url', 'https://example.com', '--show-secret'], 2, 'One name is needed'],
	[['create', 'w', '--show-secret'], 2, '--url is missing'],
	[['create', 'w', '--url', 'ftp://x', '--show-secret'], 2, 'only http and https'],
	[[...CREATE, '--filter', 'a:1 amountUSD>big'], 2, 'At 15, "big": amountUSD needs a number'],
	[[...CREATE, '--filter', '{"and": [1}'], 2, 'At 11, "}": it begins as JSON'],
	[[...CREATE, '--event', 'swapp'], 2, 'The nearest is "swap"'],
	[[...CREATE, '--chain', 'solanna'], 2, 'solanna is no chain: solana?'],
	[['update', 'x'], 2, 'One filter is needed'],
	[['update', 'x', '--filter', 'a:1', '--no-filter'], 2, 'One filter is needed'],
	[['update', 'x', '--merge', '--no-filter'], 2, 'One filter is needed'],
	[['update', '--filter', 'a:1'], 2, 'One webhook is needed'],
	[['delete'], 2, 'No webhook is given'],
	[['deliveries', 'a', 'b'], 2, 'One webhook is needed'],
	[['listen', '--host', '0.0.0.0'], 2, '--public-url is missing'],
	[['listen', '--filter', 'x>'], 2, 'The filter is not understood'],
	[['listen', '--secret-fd', '0', '--event', 'swap'], 2, 'exclude each other'],
	[[...CREATE, '--read-only'], 3, 'read-only is set'],
	[['update', 'x', '--no-filter', '--read-only'], 3, 'read-only is set'],
	[['delete', 'x', '--read-only'], 3, 'read-only is set'],
	[['deliveries', 'x', '--redeliver', '--read-only'], 3, 'read-only is set'],
	[['listen', '--read-only'], 3, 'read-only is set'],
] as const)('webhook %j ends with %i, and says: %s', async (argv, code, words) => {
	expect(await failureOf('webhook', ...argv)).toEqual([code, expect.stringContaining(words)]);
});
