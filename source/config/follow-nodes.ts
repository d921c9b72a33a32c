import type {FollowedChainName} from '../chains/chains.ts';
import {chainAdvice, FOLLOWED_CHAIN_NAMES, followedChainName} from '../chains/followed-chains.ts';
import {ConfigError} from './config-error.ts';
import {type Kind, type Problem, wholeNumber} from './kinds.ts';

/** The nodes of a chain that is followed, and how it is followed. The addresses are secret: they may hold keys. */
export interface FollowNodes {
	/** http, https, ws or wss; the first is preferred. */
	readonly urls: readonly string[];
	/** Blocks behind the head that are shown. */
	readonly confirmations?: number;
	/** Tokens followed at most. */
	readonly tokens?: number;
	/** Solana only: US dollars for one SOL, in place of the price that is read from a pool. */
	readonly solUSD?: number;
	/** Solana only: whether tokens of Meteora's launchpad are followed, by a call for each of its transactions. */
	readonly meteoraDbc?: boolean;
}

const URL_FORM = 'an address that begins with https://, wss://, http:// or ws://';
const MAX_NODES = 8;
const CONFIRMATIONS = wholeNumber(0, 128);
const TOKENS = wholeNumber(1, 20_000);

/** `{url = "wss://…"}` or `{urls = ["wss://…", "https://…"]}`, with `confirmations` and `tokens` where wanted. */
export const followNodes: Kind<FollowNodes> = {
	form: 'a table with url = "wss://…", or urls = ["wss://…", "https://…"], and confirmations and tokens if you like',
	read: raw => (problemOf(raw) === undefined ? nodesOf(raw as Table) : undefined),
	problem: problemOf,
};

/** As `followNodes`, with `sol_usd` and `meteora-dbc` where wanted. */
export const solanaNodes: Kind<FollowNodes> = {
	form: followNodes.form.replace('and confirmations and tokens', 'and tokens, sol_usd and meteora-dbc'),
	read: raw => {
		if (solanaProblem(raw) !== undefined) return undefined;
		const {sol_usd: solUSD, 'meteora-dbc': meteoraDbc, ...others} = raw as Table;
		return Object.freeze({
			...nodesOf(others),
			...(solUSD !== undefined && {solUSD: solUSD as number}),
			...(meteoraDbc !== undefined && {meteoraDbc: meteoraDbc as boolean}),
		});
	},
	problem: solanaProblem,
};

function solanaProblem(raw: unknown): Problem | undefined {
	if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return {why: `it must be ${solanaNodes.form}.`};
	const {sol_usd: solUSD, 'meteora-dbc': meteoraDbc, ...others} = raw as Table;
	if (meteoraDbc !== undefined && typeof meteoraDbc !== 'boolean')
		return {item: 'meteora-dbc', why: 'it must be true or false.'};
	if (solUSD !== undefined && !(typeof solUSD === 'number' && solUSD > 0 && Number.isFinite(solUSD)))
		return {item: 'sol_usd', why: 'it must be US dollars for one SOL, a number above 0.'};
	return problemOf(others);
}

type Table = Readonly<Record<string, unknown>>;

function problemOf(raw: unknown): Problem | undefined {
	if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return {why: `it must be ${followNodes.form}.`};
	const {url, urls, confirmations, tokens, ...others} = raw as Table;
	const [other] = Object.keys(others);
	if (other !== undefined)
		return {item: other, why: 'it is not a setting of a chain: those are url, urls, confirmations and tokens.'};
	if ((url === undefined) === (urls === undefined)) return {why: 'it must have either url or urls.'};
	if (url !== undefined && !isNodeUrl(url)) return {item: 'url', why: `it must be ${URL_FORM}.`};
	if (urls !== undefined && !isUrlList(urls))
		return {item: 'urls', why: `it must be a list of 1 to ${MAX_NODES}, each ${URL_FORM}.`};
	if (confirmations !== undefined && CONFIRMATIONS.read(confirmations) === undefined)
		return {item: 'confirmations', why: `it must be ${CONFIRMATIONS.form}.`};
	if (tokens !== undefined && TOKENS.read(tokens) === undefined)
		return {item: 'tokens', why: `it must be ${TOKENS.form}.`};
	return undefined;
}

function nodesOf({url, urls, confirmations, tokens}: Table): FollowNodes {
	const given = (urls ?? [url]) as readonly string[];
	return Object.freeze({
		urls: Object.freeze([...new Set(given)]),
		...(confirmations !== undefined && {confirmations: confirmations as number}),
		...(tokens !== undefined && {tokens: tokens as number}),
	});
}

function isUrlList(raw: unknown): boolean {
	return Array.isArray(raw) && raw.length > 0 && raw.length <= MAX_NODES && raw.every(isNodeUrl);
}

function isNodeUrl(raw: unknown): raw is string {
	const {protocol = '', hostname = ''} = (typeof raw === 'string' && URL.parse(raw)) || {};
	return ['http:', 'https:', 'ws:', 'wss:'].includes(protocol) && hostname !== '';
}

/** The value of `--follow` that drops the chains of the environment and the file. */
const NONE = 'none';

/**
 * The nodes of one chain in the values of `--follow` or of the environment's variable, which together replace the chains of
 * the file: `base=wss://…`, with commas between several addresses, and the word `none` for no chain. @param of what is to blame
 * @throws ConfigError that repeats no address
 */
export function nodesIn(values: readonly string[], chain: FollowedChainName, of: string): FollowNodes | undefined {
	const urls = values
		.filter(text => text !== NONE)
		.flatMap(text => {
			const {name, addresses} = readFollowed(text, of);
			return name === chain ? addresses : [];
		});
	if (urls.length === 0) return undefined;
	if (urls.length > MAX_NODES)
		throw new ConfigError(`The value of ${of} can't be used`, `${chain} has more than ${MAX_NODES} nodes.`);
	return nodesOf({urls});
}

function readFollowed(text: string, of: string): {name: FollowedChainName; addresses: readonly string[]} {
	const at = text.indexOf('=');
	const what = `The value of ${of} can't be used`;
	if (at < 1) throw new ConfigError(what, 'It must be CHAIN=URL, as in base=wss://node.example.com, or none.');
	const typed = text.slice(0, at);
	const name = followedChainName(typed);
	if (name === undefined) {
		// The text before the sign may be an address itself: only a text that looks like a name is repeated.
		const isName = /^[\w:-]{1,32}$/.test(typed);
		throw new ConfigError(
			what,
			isName
				? `"${typed}" is not a chain. ${chainAdvice(typed)}`
				: `The chains are ${FOLLOWED_CHAIN_NAMES.join(', ')}.`,
		);
	}
	const addresses = text
		.slice(at + 1)
		.split(',')
		.map(address => address.trim());
	if (!addresses.every(isNodeUrl))
		throw new ConfigError(what, `What follows ${name}= must be ${URL_FORM}; several have commas between them.`);
	return {name, addresses};
}
