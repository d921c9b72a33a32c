import {isEvmAddress} from '../../address.ts';
import type {Config} from '../../config/config.ts';
import {chainWord} from '../../monitor/filter/chain-words.ts';
import {TRADE_LEDGER} from '../../trading/caps.ts';
import {formatUnits} from '../../trading/decimal.ts';
import {WalletName} from '../../trading/keystore.ts';
import {openTradingFiles, type TradingFiles} from '../../trading/open-trading.ts';
import type {Call} from '../line/command.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {screenWidth} from '../output/output.ts';
import {membersCsv, printList} from '../output/print-list.ts';
import {type TableColumn, tableText} from '../output/table.ts';
import {amountFlag} from '../trading/amount-flag.ts';
import {requestedMode} from '../trading/context.ts';
import {readPassphrase} from '../trading/passphrase.ts';
import {assertChecksum, placeOf} from '../trading/place.ts';

/** Enough decimal places for any token. */
const PLACES = 18;

/**
 * `pulsetop wallet limits [CHAIN:TOKEN]`: prints the spending limits per transaction and for 24 hours, and what was spent. With a
 * token and new limits, changes them; raising one needs the passphrase.
 * @returns the exit code
 */
export async function walletLimits({flags, operands, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const mode = await requestedMode(config, flags);
	const files = openTradingFiles({dataDir: config.dataDir, mode});
	const changes = flags.has('per-transaction') || flags.has('per-day');
	const [place, ...others] = operands;
	if (others.length > 0 || (changes && place === undefined))
		throw new UsageError(
			'One token is needed',
			'Write CHAIN:ADDRESS, CHAIN:native for the coin of a chain, or usd:buys or usd:sells for trades in dollars.',
		);
	const chosen = place === undefined ? undefined : limitedToken(place);
	if (chosen && changes) {
		const now = files.caps.limitOf(chosen.chainId, chosen.token);
		const perTransaction = (await limitFlag(flags, 'per-transaction')) ?? now.perTransaction;
		const perDay = (await limitFlag(flags, 'per-day')) ?? now.perDay;
		const prove = () => provePassphrase(files, config, flags);
		await files.caps.setLimit(chosen.chainId, chosen.token, {perTransaction, perDay}, prove);
	}
	const limits = (chosen ? [chosen] : tokensKnown(files, config)).map(token => limitRow(files, token));
	const defaults = {token: files.caps.limitOf('', 'token'), native: files.caps.limitOf('', 'native')};
	await printList(flags, {
		items: limits,
		table: () =>
			limitsText(limits, defaults, {hasDefaults: chosen === undefined, ascii: config.ui.ascii}) +
			(limits.some(({isLowest}) => isLowest) ? LOWEST : ''),
		document: {schema: 'pulsetop.wallet-limits/1', mode, limits, usual: defaults},
		csv: membersCsv<LimitRow>('chainId', 'token', 'perTransaction', 'perDay', 'spentToday'),
	});
	return 0;
}

const LOWEST = `
* The file of limits is missing or was changed. The lowest limit that is known holds until you set it again:
  pulsetop wallet limits CHAIN:TOKEN --per-transaction N --per-day N
`;

interface LimitedToken {
	readonly chainId: string;
	/** An address in lower case, or `native`; `buys` or `sells` of trades. */
	readonly token: string;
}

function limitedToken(given: string): LimitedToken {
	const ledger = new RegExp(`^${TRADE_LEDGER}:(buys|sells)$`, 'i').exec(given)?.[1];
	if (ledger !== undefined) return {chainId: TRADE_LEDGER, token: ledger.toLowerCase()};
	const {chainId, token = ''} = placeOf(given, 'token', 'CHAIN:TOKEN');
	assertChecksum(token, 'This is no CHAIN:TOKEN');
	if (token === 'native' || isEvmAddress(token)) return {chainId, token: token.toLowerCase()};
	throw new UsageError(
		'The token is not named by its address',
		`Write CHAIN:0x..., CHAIN:native for its coin, or ${TRADE_LEDGER}:buys or ${TRADE_LEDGER}:sells for trades.`,
	);
}

async function limitFlag(flags: Flags, name: string): Promise<string | undefined> {
	const text = await amountFlag(flags, name);
	if (text === undefined || /^\d{1,30}(\.\d{1,18})?$/.test(text)) return text;
	throw new UsageError(`The value of --${name} can't be used`, 'Write a decimal number of whole tokens, as 250.5.');
}

/** Asks for the passphrase of any wallet of the mode. Practice wallets have none. @throws WalletName, WrongPassphrase */
export async function provePassphrase({keystore}: TradingFiles, config: Config, flags: Flags): Promise<void> {
	const name = flags.text('wallet') ?? config.wallet.name ?? keystore.list()[0]?.name;
	if (name === undefined) throw new WalletName('There is no wallet yet', 'this needs its passphrase');
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
	const spentToday = formatUnits(caps.spentToday(chainId, token, PLACES), PLACES);
	return {chainId, token, ...caps.limitOf(chainId, token), spentToday};
}

interface DefaultLimits {
	readonly token: {readonly perTransaction: string; readonly perDay: string};
	readonly native: {readonly perTransaction: string; readonly perDay: string};
}

function limitsText(
	limits: readonly LimitRow[],
	{token, native}: DefaultLimits,
	{hasDefaults, ascii}: {hasDefaults: boolean; ascii: boolean},
): string {
	const defaults = [
		{chainId: 'any', token: 'other token', ...token, spentToday: ''},
		{chainId: 'any', token: 'other coin', ...native, spentToday: ''},
	];
	return tableText(LIMIT_COLUMNS, hasDefaults ? [...limits, ...defaults] : limits, {width: screenWidth(), ascii});
}

const LIMIT_COLUMNS: readonly TableColumn<LimitRow>[] = [
	// The word that this command takes, too.
	{title: 'CHAIN', cell: ({chainId}) => chainWord(chainId) ?? chainId},
	{title: 'TOKEN', cell: ({token}) => token},
	{title: 'AT ONCE', align: 'right', cell: ({perTransaction, isLowest}) => `${perTransaction}${isLowest ? '*' : ''}`},
	{title: 'IN 24 HOURS', align: 'right', cell: ({perDay, isLowest}) => `${perDay}${isLowest ? '*' : ''}`},
	{title: 'SPENT IN 24 HOURS', align: 'right', cell: ({spentToday}) => spentToday},
];
