import {isEvmAddress} from '../../address.ts';
import type {Config} from '../../config/config.ts';
import {formatUnits} from '../../trading/decimal.ts';
import {WalletName} from '../../trading/keystore.ts';
import {openTradingFiles, type TradingFiles} from '../../trading/open-trading.ts';
import type {Call} from '../line/command.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {screenWidth} from '../output.ts';
import {printList} from '../print-list.ts';
import {type TableColumn, tableText} from '../table.ts';
import {requestedMode} from '../trading/context.ts';
import {readPassphrase} from '../trading/passphrase.ts';
import {placeOf} from '../trading/place.ts';

/** Enough decimal places for any token. */
const PLACES = 18;

/**
 * `pulsetop wallet limits [CHAIN:TOKEN]`: what a wallet may spend at once and in a day, and what it has spent. With a
 * token and new figures it changes them; raising one asks for the passphrase.
 */
export async function walletLimits({flags, operands, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const mode = requestedMode(config, flags);
	const files = openTradingFiles({dataDir: config.dataDir, mode});
	const changes = flags.has('per-transaction') || flags.has('per-day');
	const [place, ...others] = operands;
	if (others.length > 0 || (changes && place === undefined))
		throw new UsageError('One token is needed', 'Write CHAIN:ADDRESS, or CHAIN:native for the coin of a chain.');
	const wanted = place === undefined ? undefined : limitedToken(place);
	if (wanted && changes) {
		const now = files.caps.limitOf(wanted.chainId, wanted.token);
		const perTransaction = amountFlag(flags, 'per-transaction') ?? now.perTransaction;
		const perDay = amountFlag(flags, 'per-day') ?? now.perDay;
		const prove = () => provePassphrase(files, config, flags);
		await files.caps.setLimit(wanted.chainId, wanted.token, {perTransaction, perDay}, prove);
		const {chainId, token} = wanted;
		files.journal.append('limit.changed', `${chainId}|${token}`, {perTransaction, perDay});
	}
	const limits = (wanted ? [wanted] : tokensKnown(files, config)).map(token => limitRow(files, token));
	const usual = {token: files.caps.limitOf('', 'token'), native: files.caps.limitOf('', 'native')};
	await printList(flags, {
		items: limits,
		table: () => limitsText(limits, usual, {withUsual: wanted === undefined, ascii: config.ui.ascii}),
		document: {schema: 'pulsetop.wallet-limits/1', mode, limits, usual},
		csv: {
			chain_id: ({chainId}) => chainId,
			token: limit => limit.token,
			per_transaction: ({perTransaction}) => perTransaction,
			per_day: ({perDay}) => perDay,
			spent_today: ({spentToday}) => spentToday,
		},
	});
	return 0;
}

interface LimitedToken {
	readonly chainId: string;
	/** An address in lower case, or `native`. */
	readonly token: string;
}

function limitedToken(given: string): LimitedToken {
	const {chainId, token = ''} = placeOf(given, 'token');
	if (token === 'native' || isEvmAddress(token)) return {chainId, token: token.toLowerCase()};
	throw new UsageError('The token is not named by its address', 'Write CHAIN:0x..., or CHAIN:native for its coin.');
}

function amountFlag(flags: Flags, name: string): string | undefined {
	const text = flags.text(name);
	if (text === undefined || /^\d{1,30}(\.\d{1,18})?$/.test(text)) return text;
	throw new UsageError(`The value of --${name} can't be used`, 'Write a decimal number of whole tokens, as 250.5.');
}

/** Any wallet of the mode proves that it is its owner who raises a limit. Practice wallets open by themselves. */
async function provePassphrase({keystore}: TradingFiles, config: Config, flags: Flags): Promise<void> {
	const name = flags.text('wallet') ?? config.wallet.name ?? keystore.list()[0]?.name;
	if (name === undefined) throw new WalletName('There is no wallet yet', 'a limit is raised with its passphrase');
	if (keystore.mode === 'practice') return (await keystore.open(name)).wipe();
	const passphrase = await readPassphrase(flags, name);
	try {
		(await keystore.open(name, passphrase)).wipe();
	} finally {
		passphrase.fill(0);
	}
}

function tokensKnown({caps}: TradingFiles, {wallet}: Config): readonly LimitedToken[] {
	const configured = wallet.tokens
		.map(text => text.toLowerCase())
		.map(text => {
			const at = text.lastIndexOf(':');
			return {chainId: text.slice(0, at), token: text.slice(at + 1)};
		});
	const all = [...caps.known(), ...configured];
	const isFirst = ({chainId, token}: LimitedToken, at: number) =>
		all.findIndex(other => other.chainId === chainId && other.token === token) === at;
	return all.filter(isFirst);
}

type LimitRow = ReturnType<typeof limitRow>;

function limitRow({caps}: TradingFiles, {chainId, token}: LimitedToken) {
	const {perTransaction, perDay} = caps.limitOf(chainId, token);
	const spentToday = formatUnits(caps.spentToday(chainId, token, PLACES), PLACES);
	return {chainId, token, perTransaction, perDay, spentToday};
}

interface Usual {
	readonly token: {readonly perTransaction: string; readonly perDay: string};
	readonly native: {readonly perTransaction: string; readonly perDay: string};
}

function limitsText(
	limits: readonly LimitRow[],
	{token, native}: Usual,
	{withUsual, ascii}: {withUsual: boolean; ascii: boolean},
): string {
	const usual = [
		{chainId: 'any', token: 'other token', ...token, spentToday: ''},
		{chainId: 'any', token: 'other coin', ...native, spentToday: ''},
	];
	return tableText(LIMIT_COLUMNS, withUsual ? [...limits, ...usual] : limits, {width: screenWidth(), ascii});
}

const LIMIT_COLUMNS: readonly TableColumn<LimitRow>[] = [
	{title: 'CHAIN', cell: ({chainId}) => chainId},
	{title: 'TOKEN', cell: ({token}) => token},
	{title: 'AT ONCE', align: 'right', cell: ({perTransaction}) => perTransaction},
	{title: 'A DAY', align: 'right', cell: ({perDay}) => perDay},
	{title: 'SPENT TODAY', align: 'right', cell: ({spentToday}) => spentToday},
];
