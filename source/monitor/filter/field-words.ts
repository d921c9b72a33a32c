import {FIELDS, type FieldKind, type FieldName, fieldOf, findField} from '../../contract/fields.ts';
import type {SecurityFlagName} from '../../contract/security-flags.ts';
import {isSortable} from '../../contract/sort.ts';
import {WINDOWS_7, WINDOWS_8, type Window8} from '../../contract/windows.ts';
import {nearestName} from '../../contract/wire-error.ts';

/*
 * The words of fields in the filter line, the sort menu, column headers, completions and `:why`. Every field of the contract
 * has a row or belongs to a family, and can also be written by its full name and by every spelling that the contract accepts.
 */

/** The kind of a word's values. `age` is in seconds, `figure` is a number that the wire may have as text ("5%"). */
export type ValueKind = FieldKind | 'age' | 'figure' | 'chain' | 'poolType' | 'keyword' | 'socials' | 'has';

/** The meaning of a word in the API's filters. */
export type WordTarget =
	| {readonly kind: 'field'; readonly field: FieldName}
	| {readonly kind: 'security'; readonly flag: SecurityFlagName}
	/** `created_at_offset`: seconds since creation. */
	| {readonly kind: 'age'}
	| {readonly kind: 'keywords'}
	/** A livestream is running; a token that never had one is not live either. */
	| {readonly kind: 'live'}
	/** How many of twitter, website and telegram are known. */
	| {readonly kind: 'socials'}
	/** `has:FIELD`, the field is known. */
	| {readonly kind: 'has'};

/** One word, with its window where it belongs to a family. */
export interface FieldWord {
	/** The word that is shown and completed: `mcap`, `vol5m`. */
	readonly word: string;
	/** Other words for the same: `marketcap`. Without windows. */
	readonly synonyms: readonly string[];
	/** The full name, as used in a sentence: `market cap`, `volume in 5 min`. */
	readonly label: string;
	readonly help: string;
	readonly kind: ValueKind;
	readonly target: WordTarget;
	/** The field that a column is sorted by for this word; undefined when it can't be sorted by. */
	readonly sortBy?: FieldName;
	/** The family's word and this member's window: `vol` and `5min`. */
	readonly family?: {readonly word: string; readonly window: Window8; readonly windows: readonly Window8[]};
}

interface Family {
	readonly word: string;
	readonly synonyms: readonly string[];
	readonly label: string;
	readonly help: string;
	readonly windows: readonly Window8[];
	readonly defaultWindow: Window8;
	readonly name: (window: Window8) => string;
}

/** The window that a family's word means when none is typed: `vol` is `vol1h`. */
const DEFAULT_WINDOW: Window8 = '1h';

const WINDOW_WORDS: Readonly<Record<Window8, string>> = {
	'1min': '1m',
	'5min': '5m',
	'15min': '15m',
	'1h': '1h',
	'4h': '4h',
	'6h': '6h',
	'12h': '12h',
	'24h': '24h',
};

const WINDOW_SPELLINGS: ReadonlyMap<string, Window8> = new Map([
	...WINDOWS_8.flatMap(w => [[w, w] as const, [WINDOW_WORDS[w], w] as const]),
	['1d', '24h'] as const,
	['60m', '1h'] as const,
]);

/** The window that is meant by `5m`, `5min`, `1h`, `1d`, or undefined. */
export function findWindow(text: string): Window8 | undefined {
	return WINDOW_SPELLINGS.get(text.toLowerCase());
}

/** The short spelling of a window: `5m`. */
export function windowWord(window: Window8): string {
	return WINDOW_WORDS[window];
}

function family(
	word: string,
	synonyms: string,
	prefix: string,
	label: string,
	help: string,
	options: {windows?: readonly Window8[]; defaultWindow?: Window8; name?: (window: Window8) => string} = {},
): Family {
	return {
		word,
		synonyms: list(synonyms),
		label,
		help,
		windows: options.windows ?? WINDOWS_8,
		defaultWindow: options.defaultWindow ?? DEFAULT_WINDOW,
		name: options.name ?? (window => `${prefix}_${window}`),
	};
}

function list(words: string): readonly string[] {
	return words === '' ? [] : words.split(' ');
}

const FAMILIES: readonly Family[] = [
	family('vol', 'volume', 'volume', 'volume', 'US dollars traded.'),
	family('buyvol', 'volbuy vbuy', 'volume_buy', 'buy volume', 'US dollars bought.'),
	family('sellvol', 'volsell vsell', 'volume_sell', 'sell volume', 'US dollars sold.'),
	family('fees', 'fee', 'fees_paid', 'fees paid', 'US dollars that traders paid in fees.'),
	family('txns', 'trades tx txs', 'trades', 'trades', 'Number of trades.'),
	family('buys', 'buy', 'buys', 'buys', 'Number of buys.'),
	family('sells', 'sell', 'sells', 'sells', 'Number of sells.'),
	family('buyers', 'buyer', 'buyers', 'buyers', 'Different wallets that bought.'),
	family('sellers', 'seller', 'sellers', 'sellers', 'Different wallets that sold.'),
	family('traders', 'trader', 'traders', 'traders', 'Different wallets that traded.'),
	family('ovol', 'organic orgvol organicvol', 'organic_volume', 'organic volume', 'US dollars traded, bots left out.'),
	family('obuyvol', '', 'organic_volume_buy', 'organic buy volume', 'US dollars bought, bots left out.'),
	family('osellvol', '', 'organic_volume_sell', 'organic sell volume', 'US dollars sold, bots left out.'),
	family('otxns', 'otrades', 'organic_trades', 'organic trades', 'Number of trades, bots left out.'),
	family(
		'otraders',
		'orgtraders',
		'organic_traders',
		'organic traders',
		'Different wallets that traded, bots left out.',
	),
	family('obuys', '', 'organic_buys', 'organic buys', 'Number of buys, bots left out.'),
	family('osells', '', 'organic_sells', 'organic sells', 'Number of sells, bots left out.'),
	family('obuyers', '', 'organic_buyers', 'organic buyers', 'Different wallets that bought, bots left out.'),
	family('osellers', '', 'organic_sellers', 'organic sellers', 'Different wallets that sold, bots left out.'),
	family('chg', 'change', 'price_change', 'price change', 'Price change in per cent; a fall is negative.', {
		windows: WINDOWS_7,
	}),
	family('priceago', '', 'price', 'price before', 'Price at the beginning of the window, US dollars.', {
		windows: WINDOWS_7,
		name: window => `price_${window}_ago`,
	}),
	family('score', 'trending trend', 'trending_score', 'trending score', 'The service’s trending score.', {
		defaultWindow: '24h',
	}),
];

/** Word, synonyms, field, label, help. */
const PLAIN: readonly (readonly [string, string, FieldName, string, string])[] = [
	['mcap', 'marketcap cap mc', 'market_cap', 'market cap', 'Price times supply, US dollars.'],
	['lastmcap', '', 'latest_market_cap', 'latest market cap', 'Market cap at the last trade, US dollars.'],
	['fdv', 'diluted', 'market_cap_diluted', 'diluted market cap', 'Price times total supply, US dollars.'],
	['liq', '', 'liquidity', 'liquidity', 'US dollars in the pool.'],
	['liqmax', '', 'liquidity_max', 'highest liquidity', 'The most that was ever in the pool, US dollars.'],
	['price', '', 'latest_price', 'price', 'Price of one token, US dollars.'],
	['pricetoken', '', 'price_token', 'price in the quote token', 'Price of one token in the pool’s other token.'],
	['ath', '', 'ath', 'all-time high', 'Highest price so far, US dollars.'],
	['atl', '', 'atl', 'all-time low', 'Lowest price so far, US dollars.'],
	['athdate', '', 'ath_date', 'date of the all-time high', 'When the highest price was paid.'],
	['atldate', '', 'atl_date', 'date of the all-time low', 'When the lowest price was paid.'],
	['supply', '', 'circulating_supply', 'circulating supply', 'Tokens in circulation.'],
	['totalsupply', '', 'total_supply', 'total supply', 'Tokens in existence.'],
	['decimals', '', 'decimals', 'decimals', 'Decimal places of the token.'],
	['reserve', '', 'approximate_reserve_usd', 'reserve', 'What the pool holds of the token, US dollars.'],
	['reservetoken', '', 'approximate_reserve_token', 'reserve in tokens', 'What the pool holds of the token.'],
	['reserveraw', '', 'approximate_reserve_token_raw', 'raw reserve', 'What the pool holds, in base units, as text.'],
	['holders', 'holder', 'holders_count', 'holders', 'Wallets that hold the token.'],
	['top10', 'top', 'top_10_holdings_percentage', 'top 10 holdings', 'Share of supply held by the ten largest wallets.'],
	['top50', '', 'top_50_holdings_percentage', 'top 50 holdings', 'Share of supply held by the 50 largest wallets.'],
	['top100', '', 'top_100_holdings_percentage', 'top 100 holdings', 'Share of supply held by the 100 largest wallets.'],
	['top200', '', 'top_200_holdings_percentage', 'top 200 holdings', 'Share of supply held by the 200 largest wallets.'],
	['dev', '', 'dev_holdings_percentage', 'dev holdings', 'Share of supply held by the deployer.'],
	['insiders', 'insider', 'insiders_holdings_percentage', 'insider holdings', 'Share of supply held by insiders.'],
	[
		'bundlers',
		'bundler bundle',
		'bundlers_holdings_percentage',
		'bundler holdings',
		'Share of supply held by bundlers.',
	],
	['snipers', 'sniper', 'snipers_holdings_percentage', 'sniper holdings', 'Share of supply held by snipers.'],
	['pro', '', 'pro_traders_holdings_percentage', 'pro trader holdings', 'Share of supply held by pro traders.'],
	['fresh', '', 'fresh_traders_holdings_percentage', 'fresh wallet holdings', 'Share of supply held by fresh wallets.'],
	['smart', '', 'smart_traders_holdings_percentage', 'smart trader holdings', 'Share held by smart traders.'],
	['insiderscount', 'ninsiders', 'insiders_count', 'number of insiders', 'Insiders that hold the token.'],
	['bundlerscount', 'nbundlers', 'bundlers_count', 'number of bundlers', 'Bundlers that hold the token.'],
	['sniperscount', 'nsnipers', 'snipers_count', 'number of snipers', 'Snipers that hold the token.'],
	['procount', 'npro', 'pro_traders_count', 'number of pro traders', 'Pro traders that hold the token.'],
	['freshcount', 'nfresh', 'fresh_traders_count', 'number of fresh wallets', 'Fresh wallets that hold the token.'],
	['smartcount', 'nsmart', 'smart_traders_count', 'number of smart traders', 'Smart traders that hold the token.'],
	['probuys', '', 'pro_traders_buys', 'buys of pro traders', 'Number of buys by pro traders.'],
	['freshbuys', '', 'fresh_traders_buys', 'buys of fresh wallets', 'Number of buys by fresh wallets.'],
	['smartbuys', '', 'smart_traders_buys', 'buys of smart traders', 'Number of buys by smart traders.'],
	['totalfees', '', 'total_fees_paid_usd', 'all fees paid', 'US dollars paid in fees since launch.'],
	['totalfeesraw', '', 'total_fees_paid_native_raw', 'raw fees paid', 'Fees since launch, in base units, as text.'],
	['bonding', '', 'bonding_percentage', 'bonding progress', 'How far along the bonding curve, 0 to 100 %.'],
	['bonded', 'graduated', 'bonded', 'bonded', 'It has left its bonding curve.'],
	['migrating', '', 'migrating', 'migrating', 'It is moving to its ordinary pool.'],
	['bondedat', 'migrated migratedat', 'bonded_at', 'date of bonding', 'When it left its bonding curve.'],
	['created', '', 'created_at', 'date of creation', 'When it was created. For an age, use age.'],
	['lasttrade', 'traded', 'latest_trade_date', 'last trade', 'When it was last traded.'],
	[
		'migrations',
		'devmigrations',
		'deployer_migrations_count',
		'dev’s bonded tokens',
		'Tokens of the deployer that bonded.',
	],
	['devtokens', 'launches', 'deployer_tokens_count', 'dev’s tokens', 'Tokens that the deployer launched.'],
	['twreuses', '', 'twitter_reuses_count', 'reuses of the Twitter link', 'Other tokens with the same Twitter link.'],
	['twrenames', '', 'twitter_rename_count', 'renames on Twitter', 'How often the Twitter account was renamed.'],
	['safety', 'securityscore', 'security_score', 'security score', 'The service’s security score.'],
	['replies', '', 'live_reply_count', 'replies in the livestream', 'Replies in the livestream.'],
	['livestatus', 'stream', 'live_status', 'livestream', 'live or live_end; for short: live.'],
	['livetitle', '', 'livestream_title', 'title of the livestream', 'Title of the livestream.'],
	['livethumb', '', 'live_thumbnail', 'picture of the livestream', 'Address of the livestream’s picture.'],
	['listed', 'screener', 'screener_listed', 'listed by the screener', 'A token screener lists it.'],
	['ads', 'adpaid', 'screener_ad_paid', 'screener ad paid', 'Its page at a token screener was paid for.'],
	['header', '', 'screener_header', 'screener header', 'Address of the picture on its screener page.'],
	['spam', '', 'is_spam', 'spam', 'The service takes it for spam.'],
	['mayhem', '', 'is_mayhem_mode', 'mayhem mode', 'Launched in mayhem mode.'],
	['cashback', '', 'is_cashback_coin', 'cashback', 'Launched as a cashback coin.'],
	['agent', '', 'is_agent_mode', 'agent mode', 'Launched in agent mode.'],
	['og', '', 'is_og_coin', 'og', 'The first of its name.'],
	['chain', 'chainid', 'chain_id', 'chain', 'Name or id: solana, base, bsc, evm:8453.'],
	['chainname', 'network', 'blockchain', 'name of the chain', 'Display name of the chain.'],
	['type', 'pooltype dex', 'type', 'pool type', 'Where it trades now: pumpfun, raydium, uniswap-v3.'],
	['source', 'launchpad from', 'source', 'launchpad', 'Where it was launched; stays when it bonds.'],
	['sym', 'ticker', 'symbol', 'symbol', 'Symbol; sym~pepe finds it anywhere in it.'],
	['name', '', 'name', 'name', 'Name; name~dog finds it anywhere in it.'],
	['desc', '', 'description', 'description', 'Description.'],
	['address', 'ca addr token', 'address', 'address', 'Address of the token.'],
	['pool', 'pair', 'pool_address', 'pool address', 'Address of its pool.'],
	['deployer', 'creator', 'deployer', 'deployer', 'Address that deployed it.'],
	['factory', '', 'factory', 'factory', 'Address or name of the pool’s factory.'],
	['sourcefactory', '', 'source_factory', 'factory of the launchpad', 'Address of the launchpad’s factory.'],
	['prefactory', '', 'pre_bonding_factory', 'factory before bonding', 'Address of the factory before bonding.'],
	['curve', '', 'bonding_curve_address', 'bonding curve', 'Address of the bonding curve.'],
	['standard', 'tokentype', 'token_type', 'token standard', '2020 or 2022.'],
	['logo', '', 'logo', 'logo', 'Address of the logo.'],
	['twitter', 'tw', 'twitter', 'Twitter', 'Twitter link; has:twitter keeps tokens with one.'],
	['website', 'web site', 'website', 'website', 'Website; has:website keeps tokens with one.'],
	['telegram', 'tg', 'telegram', 'Telegram', 'Telegram link; has:telegram keeps tokens with one.'],
];

/** Word, flag, kind, label, help. */
const SECURITY: readonly (readonly [string, SecurityFlagName, 'boolean' | 'figure' | 'percent', string, string])[] = [
	['honeypot', 'isHoneypot', 'boolean', 'honeypot', 'Holders cannot sell.'],
	['mintable', 'isMintable', 'boolean', 'mintable', 'More tokens can be made.'],
	['nomint', 'noMintAuthority', 'boolean', 'mint authority given up', 'No more tokens can be made (Solana).'],
	['renounced', 'renounced', 'boolean', 'ownership renounced', 'The owner gave up control of the contract.'],
	['blacklisted', 'isBlacklisted', 'boolean', 'blacklist', 'The contract can bar wallets.'],
	['whitelisted', 'isWhitelisted', 'boolean', 'whitelist', 'The contract lets only some wallets trade.'],
	['pausable', 'transferPausable', 'boolean', 'transfers can be paused', 'The contract can stop all transfers.'],
	['closedsource', 'isNotOpenSource', 'boolean', 'source not published', 'The contract’s source is not published.'],
	['selfdestruct', 'selfDestruct', 'boolean', 'can self-destruct', 'The contract can remove itself.'],
	['balancemutable', 'balanceMutable', 'boolean', 'balances can be changed', 'The contract can change balances.'],
	['modtax', 'modifyableTax', 'boolean', 'tax can be changed', 'The contract can change its tax.'],
	['buytax', 'buyTax', 'figure', 'buy tax', 'Tax on a buy, per cent.'],
	['selltax', 'sellTax', 'figure', 'sell tax', 'Tax on a sale, per cent.'],
	['lpburn', 'liquidityBurnPercentage', 'percent', 'liquidity burnt', 'Share of the liquidity that is burnt.'],
	['burnrate', 'burnRate', 'figure', 'burn rate', 'Share of each transfer that is burnt.'],
	['locked', 'locked', 'figure', 'liquidity locked', 'What the service says of locked liquidity.'],
	['lowliq', 'lowLiquidity', 'figure', 'low liquidity', 'What the service says of low liquidity.'],
	['sectop10', 'top10Holders', 'figure', 'top 10 holders', 'What the security report says of the top holders.'],
];

const SPECIAL: readonly FieldWord[] = [
	{
		word: 'age',
		synonyms: [],
		label: 'age',
		help: 'Time since creation: age<10m, age:1h..2d; units s m h d.',
		kind: 'age',
		target: {kind: 'age'},
		sortBy: 'created_at',
	},
	{
		word: 'live',
		synonyms: ['streaming'],
		label: 'live',
		help: 'Its livestream is running; -live also takes tokens without one.',
		kind: 'boolean',
		target: {kind: 'live'},
	},
	{
		word: 'kw',
		synonyms: ['keyword', 'keywords', 'text'],
		label: 'name, symbol or description',
		help: 'A word in name, symbol or description; kw:a,b takes either, -kw:a,b neither.',
		kind: 'keyword',
		target: {kind: 'keywords'},
	},
	{
		word: 'socials',
		synonyms: ['social', 'links'],
		label: 'number of links',
		help: 'How many of Twitter, website and Telegram there are: socials>=2.',
		kind: 'socials',
		target: {kind: 'socials'},
	},
	{
		word: 'has',
		synonyms: ['known'],
		label: 'known',
		help: 'A field that is known: has:twitter, -has:website.',
		kind: 'has',
		target: {kind: 'has'},
	},
];

function plainWord([word, synonyms, field, label, help]: (typeof PLAIN)[number]): FieldWord {
	const kind: ValueKind =
		field === 'chain_id' ? 'chain' : field === 'type' || field === 'source' ? 'poolType' : fieldOf(field).kind;
	const target = {kind: 'field', field} as const;
	return {
		word,
		synonyms: list(synonyms),
		label,
		help,
		kind,
		target,
		...(isSortable(fieldOf(field)) && {sortBy: field}),
	};
}

function securityWord([word, flag, kind, label, help]: (typeof SECURITY)[number]): FieldWord {
	return {
		word,
		synonyms: list(flag.toLowerCase()).filter(spelling => spelling !== word),
		label,
		help,
		kind,
		target: {kind: 'security', flag},
	};
}

const WINDOW_TEXT: Readonly<Record<Window8, string>> = {
	'1min': '1 min',
	'5min': '5 min',
	'15min': '15 min',
	'1h': '1 h',
	'4h': '4 h',
	'6h': '6 h',
	'12h': '12 h',
	'24h': '24 h',
};

function familyWord(f: Family, window: Window8): FieldWord {
	const field = findField(f.name(window))!.name;
	return {
		word: `${f.word}${WINDOW_WORDS[window]}`,
		synonyms: f.synonyms,
		label: `${f.label} ${f.word === 'priceago' ? '' : 'in '}${WINDOW_TEXT[window]}`,
		help: `${f.help} Windows: ${f.windows.map(windowWord).join(' ')}; without one ${windowWord(f.defaultWindow)}.`,
		kind: fieldOf(field).kind,
		target: {kind: 'field', field},
		sortBy: field,
		family: {word: f.word, window, windows: f.windows},
	};
}

/** Every word, families with each of their windows, in the order in which menus show them. */
export const FIELD_WORDS: readonly FieldWord[] = [
	SPECIAL[0]!,
	...PLAIN.map(plainWord),
	...FAMILIES.flatMap(f => f.windows.map(window => familyWord(f, window))),
	...SECURITY.map(securityWord),
	...SPECIAL.slice(1),
];

/** The words of families without a window (`vol`), with the member that each means. */
export const FAMILY_WORDS: ReadonlyMap<string, FieldWord> = new Map(
	FAMILIES.map(f => [f.word, FIELD_WORDS.find(w => w.family?.word === f.word && w.family.window === f.defaultWindow)!]),
);

const BY_FIELD: ReadonlyMap<FieldName, FieldWord> = new Map(
	FIELD_WORDS.flatMap(w => (w.target.kind === 'field' ? [[w.target.field, w] as const] : [])),
);

const BY_FLAG: ReadonlyMap<string, FieldWord> = new Map(
	FIELD_WORDS.flatMap(w => (w.target.kind === 'security' ? [[w.target.flag, w] as const] : [])),
);

const FAMILY_BY_SPELLING: ReadonlyMap<string, Family> = new Map(
	FAMILIES.flatMap(f => [f.word, ...f.synonyms].map(spelling => [spelling, f] as const)),
);

const BY_SPELLING: ReadonlyMap<string, FieldWord> = new Map([
	...FIELD_WORDS.flatMap(w => (w.family ? [] : w.synonyms.map(spelling => [spelling, w] as const))),
	...FIELD_WORDS.map(w => [w.word, w] as const),
	...[...FAMILY_BY_SPELLING].map(([spelling, f]) => [spelling, FAMILY_WORDS.get(f.word)!] as const),
	['created_at_offset', SPECIAL[0]!] as const,
]);

/** The word that `findWord` found, or the nearest one. */
export type FoundWord =
	| {readonly word: FieldWord; readonly suggestion?: never; readonly windows?: never}
	| {
			readonly word?: never;
			readonly suggestion?: string;
			/** The family is known, the window is not one of these. */
			readonly windows?: readonly Window8[];
	  };

/**
 * The word that a text means: a short word with or without window (`vol`, `vol5m`, `vol_5min`, `vol:5m`), a synonym, a full
 * name or wire spelling (`volume_5min`, `marketCap`), `security.isHoneypot`. Letter case is overlooked for short words.
 */
export function findWord(text: string): FoundWord {
	const typed = text.trim();
	const lower = typed.toLowerCase();
	const known = BY_SPELLING.get(lower);
	if (known) return {word: known};
	const windowed = findInFamily(lower);
	if (windowed) return windowed;
	const flag = BY_FLAG.get(typed.replace(/^security\./, ''));
	if (flag) return {word: flag};
	const field = findField(typed) ?? findField(lower);
	if (field) return {word: BY_FIELD.get(field.name)!};
	const suggestion = nearestName(lower, [...BY_SPELLING.keys(), ...FIELDS.map(f => f.name)]);
	return suggestion === undefined ? {} : {suggestion: BY_SPELLING.get(suggestion)?.word ?? suggestion};
}

function findInFamily(text: string): FoundWord | undefined {
	const [, base = '', windowText = ''] = /^([a-z]+?)[._:]?(\d+(?:m|min|h|d))$/.exec(text) ?? [];
	const f = FAMILY_BY_SPELLING.get(base);
	if (!f) return undefined;
	const window = findWindow(windowText);
	if (!window || !f.windows.includes(window)) {
		return {suggestion: `${f.word}${windowWord(f.defaultWindow)}`, windows: f.windows};
	}
	return {word: familyMember(f.word, window)!};
}

/** A family's word for a window: `vol` and `5min` => `vol5m`; undefined where the family has no such window. */
function familyMember(familyWord: string, window: Window8): FieldWord | undefined {
	return FIELD_WORDS.find(w => w.family?.word === familyWord && w.family.window === window);
}

/** The row of a field. */
export function fieldWordOf(field: FieldName): FieldWord {
	return BY_FIELD.get(field)!;
}

/** The short word of a field: `market_cap` => `mcap`, `volume_5min` => `vol5m`. */
export function wordOf(field: FieldName): string {
	return fieldWordOf(field).word;
}

/** The full name of a field, as used in a sentence: `market cap`, `volume in 5 min`. */
export function labelOf(field: FieldName): string {
	return fieldWordOf(field).label;
}
