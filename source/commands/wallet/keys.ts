import {readFileSync, statSync} from 'node:fs';
import type {Config} from '../../config/config.ts';
import {fileProblem} from '../../file-problem.ts';
import {clean} from '../../text.ts';
import {plainText} from '../../trading/key-text.ts';
import type {Keystore, WalletRow} from '../../trading/keystore.ts';
import {openTradingFiles} from '../../trading/open-trading.ts';
import type {Call} from '../line/command.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {jsonText, print, screenWidth} from '../output/output.ts';
import {membersCsv, printList} from '../output/print-list.ts';
import {type TableColumn, tableText} from '../output/table.ts';
import {followOf} from '../service/followed.ts';
import {moneyModeOf} from '../service/money-mode.ts';
import {requestedMode} from '../trading/context.ts';
import {readPassphrase, secretFromFd} from '../trading/passphrase.ts';
import {askLine, isPersonThere} from '../trading/passphrase-prompt.ts';

/** Maximum size of a key file; that of another program is about a kilobyte. */
const MAX_KEY_BYTES = 64 * 1024;

/** `pulsetop wallet list`: prints practice and real wallets, and which of them can act here. @returns the exit code */
export async function walletList({flags, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const isOne = flags.has('real') || flags.has('practice');
	const modes = isOne ? [await requestedMode(config, flags)] : (['practice', 'real'] as const);
	// Wallets can be listed where no money moves.
	const here = followOf(config) ? 'real' : await moneyModeOf(config);
	const rows = modes.flatMap(mode => openTradingFiles({dataDir: config.dataDir, mode}).keystore.list());
	const wallets = rows.map(row => ({...row, actsHere: row.mode === here}));
	await printList(flags, {
		items: wallets,
		table: () =>
			rows.length === 0
				? `There is no wallet yet. pulsetop wallet create NAME${here === 'real' ? '' : ' --real'} makes one.\n`
				: tableText(listColumns(here, config), rows, {width: screenWidth(), ascii: config.ui.ascii}),
		document: {schema: 'pulsetop.wallet-list/1', mode: here, wallets},
		csv: {
			...membersCsv<(typeof wallets)[number]>('name', 'mode', 'address', 'actsHere'),
			state: row => stateOf(row, here),
		},
	});
	return 0;
}

function listColumns(here: WalletRow['mode'], {ui}: Config): readonly TableColumn<WalletRow>[] {
	return [
		{title: 'NAME', cell: ({name}) => name},
		{title: 'MODE', cell: ({mode}) => mode},
		{title: 'ADDRESS', cell: ({address}) => address ?? (ui.ascii ? '-' : '–')},
		{title: 'STATE', cell: row => stateOf(row, here)},
	];
}

/** Why a wallet cannot act here, or `ready`. Practice and real keys never sign for each other's money. */
function stateOf({mode, isExposed, problem}: WalletRow, here: WalletRow['mode']): string {
	if (problem !== undefined) return clean(problem);
	if (isExposed) return 'refused: others may read its file (chmod 600)';
	if (mode === here) return 'ready';
	return mode === 'real'
		? 'refused here: real keys never sign for practice (set a service)'
		: 'refused here: practice keys never sign for real money';
}

/** `pulsetop wallet create NAME`: creates a key; a real one needs a passphrase, typed twice. @returns the exit code */
export async function walletCreate({flags, operands, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const name = onlyOperand(operands, 'wallet create NAME');
	const mode = await requestedMode(config, flags);
	const {keystore} = openTradingFiles({dataDir: config.dataDir, mode});
	if (mode === 'practice') return printWallet(await keystore.create(name), flags);
	return withSecret(readPassphrase(flags, name, {isNew: true}), async passphrase =>
		printWallet(await keystore.create(name, passphrase), flags),
	);
}

/** `pulsetop wallet import NAME [FILE]`: imports a key or a key file, from a file, a descriptor or the keyboard. @returns the exit code */
export async function walletImport({flags, operands, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const [name, file, ...others] = operands;
	for (const operand of operands) assertNoKey(operand);
	if (name === undefined || others.length > 0)
		throw new UsageError(
			'A wallet needs one name',
			'Write pulsetop wallet import NAME, and the key file if there is one.',
		);
	if (flags.has('key-fd') && flags.text('key-fd') === flags.text('passphrase-fd'))
		throw new UsageError('Key and passphrase come from one descriptor', 'Give each its own.');
	const mode = await requestedMode(config, flags);
	const {keystore} = openTradingFiles({dataDir: config.dataDir, mode});
	// Practice refuses every key, before the prompt for one.
	if (mode === 'practice') await keystore.importKey(name, new Uint8Array(), new Uint8Array());
	return withSecret(readKey(flags, file), async key => {
		const row = await withSecret(passphraseOf(key, name, flags), passphrase => store(keystore, name, key, passphrase));
		if (file !== undefined && !isKeyFile(key))
			process.stderr.write(
				'The file still contains the unencrypted key: delete it once you know that the wallet works.\n',
			);
		return printWallet(row, flags);
	});
}

/** Refuses a key as an argument: it is in the process list and the history of the shell. */
function assertNoKey(operand: string): void {
	if (!/^(0x)?[0-9a-fA-F]{64}$/.test(operand)) return;
	throw new UsageError(
		'A private key never stands in a command line',
		'Others on this machine could read it, and it is in the history of the shell now: move its money to a new wallet.',
	);
}

/** The key or key file that is given, as plain UTF-8. */
async function readKey(flags: Flags, file: string | undefined): Promise<Buffer> {
	const bytes = await readKeyBytes(flags, file);
	const text = plainText(bytes);
	bytes.fill(0);
	return text;
}

async function readKeyBytes(flags: Flags, file: string | undefined): Promise<Buffer> {
	const given = await secretFromFd(flags, 'key-fd', {until: 'end', maxBytes: MAX_KEY_BYTES});
	if (given !== undefined) return given;
	if (file !== undefined) return readKeyFile(file);
	if (isPersonThere()) return askLine('Private key, as hex: ', {isHidden: true});
	throw new UsageError(
		'There is no key to import',
		'Name a file, or give --key-fd N and the key on that file descriptor.',
	);
}

function readKeyFile(path: string): Buffer {
	try {
		if (statSync(path).size > MAX_KEY_BYTES)
			throw new UsageError('The file is too large', 'It is neither a key nor a key file.');
		return readFileSync(path);
	} catch (error) {
		if (error instanceof UsageError) throw error;
		throw new UsageError('The file with the key could not be read', `${path}: ${fileProblem(error)}.`);
	}
}

/** The passphrase of a key file, or a new one for a bare key. */
function passphraseOf(key: Uint8Array, name: string, flags: Flags): Promise<Buffer> {
	return readPassphrase(flags, isKeyFile(key) ? 'the key file' : name, {isNew: !isKeyFile(key)});
}

function store(keystore: Keystore, name: string, key: Buffer, passphrase: Buffer): Promise<WalletRow> {
	if (!isKeyFile(key)) return keystore.importKey(name, key, passphrase);
	return keystore.importFile(name, key.toString('utf8'), passphrase);
}

function isKeyFile(text: Uint8Array): boolean {
	return text[0] === 0x7b;
}

/** Uses a secret and wipes it. */
async function withSecret<T>(secret: Promise<Buffer>, use: (secret: Buffer) => Promise<T>): Promise<T> {
	const bytes = await secret;
	try {
		return await use(bytes);
	} finally {
		bytes.fill(0);
	}
}

async function printWallet(wallet: WalletRow, flags: Flags): Promise<number> {
	if (flags.has('json')) await print(jsonText({schema: 'pulsetop.wallet/1', wallet}));
	else await print(`${wallet.name}  ${wallet.address ?? ''}  (${wallet.mode})\n`);
	return 0;
}

function onlyOperand(operands: readonly string[], form: string): string {
	const [one, ...others] = operands;
	if (one === undefined || others.length > 0) throw new UsageError('One name is needed', `Write pulsetop ${form}.`);
	return one;
}
