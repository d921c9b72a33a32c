import {isAbsolute, join} from 'node:path';
import {chainName, type FollowedChainName} from '../chains/chains.ts';
import {FOLLOWED_CHAIN_NAMES, FOLLOWED_CHAINS} from '../chains/followed-chains.ts';
import {homeOf} from '../home.ts';
import {ConfigError} from './config-error.ts';
import {type FollowNodes, followNodes, nodesIn, solanaNodes} from './follow-nodes.ts';
import {
	choice,
	duration,
	headerText,
	hours,
	type Kind,
	keyTable,
	number,
	numberOr,
	path,
	rising,
	someOf,
	tableOf,
	tablesByName,
	text,
	textLike,
	texts,
	textsLike,
	thresholds,
	url,
	wholeNumber,
	yesNo,
} from './kinds.ts';

import {type AddressList, addresses, addressesIn} from './service-addresses.ts';

/** The variables the program was started with. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One thing that can be configured: the places where its value may stand, and its default. */
export interface Setting<V> {
	readonly kind: Kind<V>;
	readonly byDefault: V | ((env: Environment) => V);
	/** One sentence, for help and the template. */
	readonly help: string;
	/** The example of the template where there is no default. */
	readonly example?: V;
	/** The flag's name without dashes. A flag of a setting with `flagMeans` takes no value. */
	readonly flag?: string;
	readonly flagMeans?: unknown;
	readonly env?: string;
	/** The value that the variable stands for when it is set and not empty, whatever its text. */
	readonly envMeans?: unknown;
	/**
	 * The value by the texts of a flag that may be repeated, or by those of the variable, with blanks between them, where
	 * several settings share them; `name` is named in errors. @throws ConfigError
	 */
	readonly fromTexts?: (texts: readonly string[], name: string) => V;
	/** Never shown. */
	readonly isSecret?: true;
}

function setting<V>(given: Setting<V>): Setting<V> {
	return given;
}

const BASE_URL = addresses('http', 'https');
const STREAM_URL = addresses('ws', 'wss');

/** The columns of the monitor. */
const COLUMN_NAMES = ['new', 'bonding', 'bonded', 'trending'] as const;
type ColumnName = (typeof COLUMN_NAMES)[number];

/** Settings of one column (view) of the monitor. */
function column(of: string) {
	return {
		filter: setting<string | undefined>({
			kind: text,
			byDefault: undefined,
			help: `The filter line of ${of}.`,
			example: 'mcap>50k age<10m',
		}),
		sort: setting<string | undefined>({
			kind: text,
			byDefault: undefined,
			help: `What ${of} are sorted by, and the direction.`,
			example: 'volume_1h desc',
		}),
		fields: setting<readonly string[]>({
			kind: texts,
			byDefault: Object.freeze([]),
			help: `What the rows of ${of} show after the symbol, in this order; what does not fit is dropped from the end. Default: chosen by the width.`,
			example: ['mcap', 'age', 'change', 'buyers5m', 'risk'],
		}),
		limit: setting({kind: wholeNumber(1, 100), byDefault: 50, help: `Maximum number of ${of} to load.`}),
		chains: setting<readonly string[]>({
			kind: texts,
			byDefault: [],
			help: `Only these chains, ["solana:solana", "evm:8453"]; an empty list is every chain.`,
		}),
	};
}

/** A chain that is followed. */
function followed(chain: FollowedChainName) {
	return setting<FollowNodes | undefined>({
		kind: chain === 'solana' ? solanaNodes : followNodes,
		byDefault: undefined,
		help: `Nodes whose ${chainName(FOLLOWED_CHAINS[chain])} launches are shown: the market is real then, and no money moves without a hosted service.`,
		example: {urls: ['wss://node.example.com']},
		flag: 'follow',
		env: 'PULSETOP_FOLLOW',
		fromTexts: (values, name) => nodesIn(values, chain, name),
		isSecret: true,
	});
}

const FOLLOWED_NODES = Object.fromEntries(FOLLOWED_CHAIN_NAMES.map(chain => [chain, followed(chain)])) as Readonly<
	Record<FollowedChainName, ReturnType<typeof followed>>
>;

function risk(of: string, warn: number, bad: number) {
	return setting({
		kind: thresholds,
		byDefault: Object.freeze({warn, bad}),
		help: `The percentage held by ${of} that is a warning, and the one that is bad.`,
	});
}

/** Everything that can be configured. A name here is camelCase; in the file it is the same in kebab-case. */
export const SETTINGS = {
	dataDir: setting<string>({
		kind: path,
		byDefault: env => join(directory(env, 'XDG_DATA_HOME', '.local/share'), 'pulsetop'),
		help: 'Where pins, hides, journals and the keystore are kept.',
		flag: 'data-dir',
		env: 'PULSETOP_DATA_DIR',
	}),
	caFile: setting<string | undefined>({
		kind: path,
		byDefault: undefined,
		help: 'Certificates (PEM) that are trusted beside those of Node, for the service and for nodes: those of a company.',
		example: '/etc/ssl/company.pem',
		flag: 'ca-file',
		env: 'PULSETOP_CA_FILE',
	}),
	readOnly: setting({
		kind: yesNo,
		byDefault: false,
		help: 'Refuse everything that moves money or changes anything at the service; a running monitor switches it off only with a restart.',
		flag: 'read-only',
		flagMeans: true,
	}),
	service: {
		baseUrl: setting<AddressList | undefined>({
			kind: BASE_URL,
			byDefault: undefined,
			help: 'URL of the service, or several of its replicas; without one a built-in service with a simulated market is started.',
			example: 'https://api.example.com',
			flag: 'base-url',
			env: 'PULSETOP_BASE_URL',
			fromTexts: (given, name) => addressesIn(given, BASE_URL, name),
		}),
		streamUrl: setting<AddressList | undefined>({
			kind: STREAM_URL,
			byDefault: undefined,
			help: "URL of the service's websocket, if it is not the default path on the same host; as many as base-url has, in the same order.",
			example: 'wss://stream.example.com',
			flag: 'stream-url',
			env: 'PULSETOP_STREAM_URL',
			fromTexts: (given, name) => addressesIn(given, STREAM_URL, name),
		}),
		apiKey: setting<string | undefined>({
			kind: headerText,
			byDefault: undefined,
			help: 'API key of the service. Keep it in the environment, not in a command line.',
			example: 'your key',
			flag: 'api-key',
			env: 'PULSETOP_API_KEY',
			isSecret: true,
		}),
	},
	embedded: {
		seed: setting({
			kind: wholeNumber(0, 4_294_967_295),
			byDefault: 1,
			help: 'Seed of the built-in simulated market: the same seed is the same market.',
			flag: 'seed',
		}),
		rate: setting({
			kind: number(0, 100),
			byDefault: 1,
			help: 'Activity multiplier for the simulated market (1 is about 200 trades a second).',
			flag: 'rate',
		}),
	},
	follow: {
		backfill: setting<string | undefined>({
			kind: duration('24h'),
			byDefault: undefined,
			help: 'Time before the start that is read first from each followed chain (default 0).',
			example: '1h',
			flag: 'backfill',
			env: 'PULSETOP_BACKFILL',
		}),
		allowFetch: setting({
			kind: yesNo,
			byDefault: false,
			help: 'Read the documents that tokens name, for descriptions and links: the maker of a token then sees your address.',
		}),
		ipfsGateway: setting<string | undefined>({
			kind: url('http', 'https'),
			byDefault: undefined,
			help: 'Where documents of ipfs:// are asked for, if allow-fetch is true; /ipfs/ and the content are added. Without it they are not read.',
			example: 'https://ipfs.example.com',
		}),
		...FOLLOWED_NODES,
	},
	ui: {
		theme: setting({
			kind: choice('auto', 'dark', 'light', 'colorblind', 'contrast'),
			byDefault: 'auto',
			help: 'Colours; "auto" asks the terminal.',
			flag: 'theme',
		}),
		columns: setting<readonly ColumnName[] | undefined>({
			kind: someOf('columns', COLUMN_NAMES),
			byDefault: undefined,
			help: 'Columns to show, from left to right. At each start they go before what was chosen with the keys last time; default: that choice, else new, bonding and bonded.',
			example: ['new', 'bonding', 'bonded', 'trending'],
			flag: 'columns',
		}),
		color: setting<'auto' | 'truecolor' | '256' | '16' | 'never'>({
			kind: choice('auto', 'truecolor', '256', '16', 'never'),
			byDefault: 'auto',
			help: 'How many colours; "auto" asks the environment.',
			flag: 'no-color',
			flagMeans: 'never',
			env: 'NO_COLOR',
			envMeans: 'never',
		}),
		ascii: setting({
			kind: yesNo,
			byDefault: false,
			help: 'Use only ASCII for lines and marks.',
			flag: 'ascii',
			flagMeans: true,
		}),
		plain: setting({
			kind: yesNo,
			byDefault: false,
			help: 'Lines of text instead of a screen: one line an event, commands typed as words, for screen readers.',
			flag: 'plain-ui',
			flagMeans: true,
		}),
		motion: setting({
			kind: choice('full', 'none'),
			byDefault: 'full',
			help: 'Show changes by passing marks, highlights of new rows and counting seconds.',
		}),
		keys: setting<'usual' | 'classic'>({
			kind: choice('usual', 'classic'),
			byDefault: 'usual',
			help: 'Keys of the columns; "classic" binds those of version 0.2 again.',
		}),
		mouse: setting({kind: yesNo, byDefault: true, help: 'Use clicks and the wheel.'}),
		tour: setting({
			kind: yesNo,
			byDefault: true,
			help: 'Show first steps on the first start.',
			env: 'PULSETOP_TOUR',
		}),
		ambiguousWidth: setting({
			kind: choice('narrow', 'wide'),
			byDefault: 'narrow',
			help: 'How your terminal draws characters of ambiguous width; with "wide" our lines and marks are ASCII.',
		}),
	},
	colors: setting<Readonly<Record<string, string>>>({
		kind: tableOf(text),
		byDefault: Object.freeze({}),
		help: 'Colours that replace those of the theme: up = "#4ae168"; dim, faint, strong, brand, accent, up, down, warn, rule, new, bonding, bonded, trending.',
	}),
	alerts: {
		rules: setting<readonly string[]>({
			kind: texts,
			byDefault: Object.freeze([]),
			help: 'Alert rules: filter lines that ring when a token starts to match; @new, @bonding, @bonded or @trending before one for one column.',
			example: ['@bonded mcap>100k dev<5%', 'kw:elon age<5m'],
		}),
		bell: setting({kind: yesNo, byDefault: true, help: 'Ring the terminal bell for an alert.'}),
		desktop: setting({
			kind: yesNo,
			byDefault: false,
			help: 'Show a desktop notification for an alert, where the terminal can (OSC 9).',
		}),
		command: setting<readonly string[]>({
			kind: texts,
			byDefault: Object.freeze([]),
			help: 'Program that runs for each alert, with its arguments; it gets PULSETOP_RULE, _SYMBOL, _ADDRESS, _CHAIN and _COLUMN in its environment.',
			example: ['play', 'ding.wav'],
		}),
		quiet: setting<string>({
			kind: hours,
			byDefault: 'never',
			help: 'Times of day between which no alert rings: "23:00-07:00".',
		}),
	},
	commands: setting<Readonly<Record<string, Readonly<Record<string, unknown>>>>>({
		kind: tablesByName,
		byDefault: Object.freeze({}),
		help: 'Programs on keys, run for the token under the cursor, without a shell, with PULSETOP_SYMBOL, _ADDRESS, _CHAIN and more in their environment; help, confirm and danger can stand beside key and run.',
	}),
	columns: {
		new: column('new tokens'),
		bonding: column('bonding tokens'),
		bonded: column('bonded tokens'),
		trending: column('trending tokens'),
	},
	risk: {
		dev: risk('the deployer', 5, 15),
		top10: risk('the ten largest holders', 30, 50),
		snipers: risk('snipers', 10, 25),
		insiders: risk('insiders', 5, 15),
		bundlers: risk('bundlers', 10, 25),
	},
	wallet: {
		name: setting<string | undefined>({
			kind: textLike('the name of a wallet: letters, digits, dots, - and _', /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/),
			byDefault: undefined,
			help: 'Wallet to use for money actions; default: the only one.',
			example: 'main',
		}),
		tokens: setting<readonly string[]>({
			kind: textsLike('token addresses with their chain, ["evm:8453:0x..."]', /^evm:[1-9]\d{0,15}:0x[0-9a-fA-F]{40}$/),
			byDefault: Object.freeze([]),
			help: 'Tokens to offer for bridge transfers.',
		}),
		requireSimulation: setting({
			kind: yesNo,
			byDefault: false,
			help: 'Sign no transaction or batch of which your node did not show before what it would move.',
		}),
		autoLock: setting({
			kind: duration('12h', '1s'),
			byDefault: '5m',
			help: 'Time without a key in a money window and without a signature after which the wallet locks.',
		}),
	},
	bridge: {
		maxLoss: setting({
			kind: number(0, 100),
			byDefault: 3,
			help: 'Maximum loss of a transfer, in per cent of what is sent: by the minimum received, and by the fees.',
			flag: 'max-loss',
		}),
	},
	trade: {
		amounts: setting<readonly number[]>({
			kind: rising('amounts in USD', {from: 1, to: 1_000_000, most: 4}),
			byDefault: Object.freeze([10, 25, 50, 100]),
			help: 'What the keys 1 to 4 of the window that buys a token spend, in USD.',
		}),
		sell: setting<readonly number[]>({
			kind: rising('percentages', {from: 1, to: 100, most: 4}),
			byDefault: Object.freeze([25, 50, 75, 100]),
			help: 'What the keys 1 to 4 of the window that sells a token sell, in per cent of what you hold.',
		}),
		slippage: setting<number | 'auto'>({
			kind: numberOr('auto', number(0.1, 25)),
			byDefault: 'auto',
			help: 'How much less than quoted a trade may bring, in per cent; "auto" is 10 for launches and 1 for dollars.',
		}),
		from: setting<string>({
			kind: textLike(
				'"auto", or a chain as "base:usdc" or "evm:8453"',
				/^(?:auto|[a-z]+(?::usdc)?|evm:[1-9]\d{0,15})$/,
			),
			byDefault: 'auto',
			help: 'The chain whose USDC pays for a buy and is received for a sale; "auto" is the largest balance on another chain than the token’s.',
		}),
	},
	provider: {
		domainName: setting<string>({
			kind: text,
			byDefault: 'ServiceBatchExecutor',
			help: "Name in the batch's EIP-712 domain.",
		}),
		domainVersion: setting<string>({kind: text, byDefault: '1', help: "Version in the batch's EIP-712 domain."}),
		dexA: setting<string>({kind: text, byDefault: 'dexA', help: 'Name of the first exchange at the service.'}),
		dexB: setting<string>({kind: text, byDefault: 'dexB', help: 'Name of the second exchange at the service.'}),
		aliases: setting<Readonly<Record<string, string>>>({
			kind: tableOf(text),
			byDefault: Object.freeze({}),
			help: 'Fields that have other names at the service: holders_count = "owners", vaultAddress = "safeAddress".',
		}),
	},
	rpc: setting<Readonly<Record<string, string>>>({
		kind: tableOf(url('http', 'https'), {form: 'a chain id as "evm:8453"', pattern: /^evm:[1-9]\d{0,15}$/}),
		byDefault: Object.freeze({}),
		help: 'Node for each chain on which you sign with real money: "evm:8453" = "https://node.example.com".',
		isSecret: true,
	}),
	keys: setting<Readonly<Record<string, readonly string[]>>>({
		kind: keyTable,
		byDefault: Object.freeze({}),
		help: 'Keys that replace those of an action: cursor.down = ["n", "down"]; [] for none; detail.cursor.down for one place alone.',
	}),
};

/** Settings that had another name in earlier versions. */
export const RENAMED: ReadonlyMap<string, string> = new Map([
	['bridge.require-simulation', '[wallet] require-simulation'],
]);

/** Settings, by sections of sections. */
export interface Section {
	readonly [name: string]: Setting<unknown> | Section;
}

type ValuesOf<S> = {readonly [Name in keyof S]: S[Name] extends Setting<infer V> ? V : ValuesOf<S[Name]>};

/** A value for each setting, in the same sections. */
export type SettingValues = ValuesOf<typeof SETTINGS>;

export function isSetting(entry: Setting<unknown> | Section): entry is Setting<unknown> {
	return 'kind' in entry && 'help' in entry;
}

/** `baseUrl` as the file writes it: `base-url`. */
export function fileName(name: string): string {
	return name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

/** Every setting with its path in the file, `service.base-url`, in the order of the table. */
export function* settingsIn(
	section: Section,
	prefix = '',
): Generator<readonly [path: string, setting: Setting<unknown>]> {
	for (const [name, entry] of Object.entries(section)) {
		const path = prefix + fileName(name);
		if (isSetting(entry)) yield [path, entry];
		else yield* settingsIn(entry, `${path}.`);
	}
}

/** A directory of the XDG convention, which ignores relative paths. @throws ConfigError when a home is needed and does not exist */
export function directory(env: Environment, variable: string, inHome: string): string {
	const given = env[variable];
	if (given !== undefined && isAbsolute(given)) return given;
	const home = homeOf(env);
	if (home !== undefined) return join(home, inHome);
	const [flag, ours] =
		variable === 'XDG_DATA_HOME' ? ['--data-dir', 'PULSETOP_DATA_DIR'] : ['--config', 'PULSETOP_CONFIG'];
	throw new ConfigError(
		'There is no home directory',
		`HOME is no absolute path, and the system knows none for this user. Give ${flag}, or set ${ours} or ${variable}.`,
	);
}

/** The default of a setting for anybody: with `~` for the home. */
export function shownDefault({byDefault}: Setting<unknown>): unknown {
	const value = typeof byDefault === 'function' ? byDefault({HOME: '/~'}) : byDefault;
	return typeof value === 'string' ? value.replace(/^\/~/, '~') : value;
}
