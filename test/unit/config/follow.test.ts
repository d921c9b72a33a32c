import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {type Config, loadConfig} from '../../../source/config/config.ts';
import {readConfigText} from '../../../source/config/config-file.ts';
import {explain} from '../../../source/errors.ts';

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'pulsetop-follow-'));
});
afterEach(() => rmSync(home, {recursive: true}));

const KEY = 'k3y-of-a-node';

async function load(given: {file?: string; env?: object; flags?: object}): Promise<Config> {
	const path = join(home, 'config.toml');
	writeFileSync(path, given.file ?? '');
	return loadConfig({env: {HOME: home, ...given.env}, flags: {config: path, ...given.flags}});
}

async function failure(given: Parameters<typeof load>[0]): Promise<string> {
	const error = await load(given).then(
		() => expect.fail('it was accepted'),
		reason => reason,
	);
	const {code, what, why} = explain(error);
	expect(`${what}${why}${error.stack}`).not.toContain(KEY);
	return `${code}: ${what}. ${why}`.replaceAll(home, '~');
}

const urlsOf = ({follow: {allowFetch: _, backfill: _b, ipfsGateway: _g, ...chains}}: Config) =>
	Object.fromEntries(Object.entries(chains).flatMap(([name, nodes]) => (nodes ? [[name, nodes.urls]] : [])));

test('without a chain nothing is followed', async () => {
	const config = await load({});
	expect(urlsOf(config)).toEqual({});
	expect(config.follow.backfill).toBeUndefined();
});

test('the file names chains by one address or by several, with what is shown of them', async () => {
	const {follow} = await load({
		file: '[follow]\nbackfill = "1h30m"\n[follow.base]\nurl = "wss://a.example/v2/k"\nconfirmations = 0\n[follow.bnb]\nurls = ["https://b.example", "https://c.example", "https://b.example"]\ntokens = 500\n',
	});
	expect(follow.backfill).toBe('1h30m');
	expect(follow.base).toEqual({urls: ['wss://a.example/v2/k'], confirmations: 0});
	expect(follow.bnb).toEqual({urls: ['https://b.example', 'https://c.example'], tokens: 500});
	expect(follow.solana).toBeUndefined();
});

test('flags replace the chains of the environment, and the environment those of the file', async () => {
	const file = '[follow.polygon]\nurl = "https://file.example"\n';
	const env = {
		PULSETOP_FOLLOW: 'bsc=https://a.example,wss://b.example  evm:8453=https://c.example',
		PULSETOP_BACKFILL: '5m',
	};
	const fromEnv = await load({file, env});
	expect(urlsOf(fromEnv)).toEqual({bnb: ['https://a.example', 'wss://b.example'], base: ['https://c.example']});
	expect(fromEnv.follow.backfill).toBe('5m');
	const flags = {follow: ['base=https://d.example/?x=1', 'base=https://e.example'], backfill: '10m'};
	const fromFlags = await load({file, env, flags});
	expect(urlsOf(fromFlags)).toEqual({base: ['https://d.example/?x=1', 'https://e.example']});
	expect(fromFlags.follow.backfill).toBe('10m');
	expect(fromFlags.origins.get('follow.base')).toEqual({from: 'flag', name: '--follow'});
});

test('the word none follows nothing, whatever the file names', async () => {
	const file = '[follow.polygon]\nurl = "https://file.example"\n';
	expect(urlsOf(await load({file, flags: {follow: 'none'}}))).toEqual({});
	expect(urlsOf(await load({file, env: {PULSETOP_FOLLOW: 'none'}}))).toEqual({});
	// `feed --follow` without a chain says only that the feed goes on.
	expect(urlsOf(await load({file, flags: {follow: true}}))).toEqual({polygon: ['https://file.example']});
});

test.each([
	[
		{flags: {follow: `bass=https://a.example/${KEY}`}},
		'config: The value of --follow can\'t be used. "bass" is not a chain. The nearest is "base".',
	],
	[
		{flags: {follow: `https://a.example/${KEY}`}},
		"config: The value of --follow can't be used. It must be CHAIN=URL, as in base=wss://node.example.com, or none.",
	],
	[
		{flags: {follow: `https://a.example/?key=${KEY}`}},
		"config: The value of --follow can't be used. The chains are base, bnb, arbitrum, polygon, ethereum, robinhood, unichain, solana.",
	],
	[
		{env: {PULSETOP_FOLLOW: `base=ftp://${KEY}@a.example`}},
		"config: The value of PULSETOP_FOLLOW can't be used. What follows base= must be an address that begins with https://, wss://, http:// or ws://; several have commas between them.",
	],
	[
		{flags: {backfill: '25h'}},
		'config: The value of --backfill can\'t be used. It must be a length of time as "90s", "10m" or "1h30m", at most "24h".',
	],
	[
		{file: `[follow.base]\n\nurl = "ftp://a.example/${KEY}"\n`},
		"config: The value of follow.base.url can't be used. Line 3 of ~/config.toml: it must be an address that begins with https://, wss://, http:// or ws://.",
	],
	[
		{file: `[follow.base]\nurl = "https://a.example/${KEY}"\nconfirmations = 1000\n`},
		"config: The value of follow.base.confirmations can't be used. Line 3 of ~/config.toml: it must be a whole number from 0 to 128.",
	],
	[
		{file: `[follow.base]\nuri = "https://a.example/${KEY}"\n`},
		"config: The value of follow.base.uri can't be used. Line 2 of ~/config.toml: it is not a setting of a chain: those are url, urls, confirmations and tokens.",
	],
	[
		{file: '[follow.base]\nconfirmations = 1\n'},
		"config: The value of follow.base can't be used. Line 1 of ~/config.toml: it must have either url or urls.",
	],
	[
		{file: `[follow.bass]\nurl = "https://a.example/${KEY}"\n`},
		'config: "bass" is not a setting. Line 1 of ~/config.toml: The nearest in [follow] is "base".',
	],
])('what is wrong is named without the address: %o', async (given, words) => {
	expect(await failure(given)).toBe(words);
});

test('every problem of a file is listed with its line', async () => {
	const {problems} = await readConfigText('[follow]\nbackfill = 5\nbase = "x"\n', 'f.toml');
	expect(problems.map(({message, why}) => `${message}: ${why.split(':')[0]}`)).toEqual([
		"The value of follow.backfill can't be used: Line 2 of f.toml",
		"The value of follow.base can't be used: Line 3 of f.toml",
	]);
});

test('documents of tokens are read only where the file says so', async () => {
	expect((await load({})).follow).toMatchObject({allowFetch: false, ipfsGateway: undefined});
	const {follow} = await load({file: '[follow]\nallow-fetch = true\nipfs-gateway = "http://127.0.0.1:8080"\n'});
	expect(follow).toMatchObject({allowFetch: true, ipfsGateway: 'http://127.0.0.1:8080'});
	expect(await failure({file: '[follow]\nallow-fetch = "yes"\n'})).toMatch(
		/follow\.allow-fetch can't be used.*true or false/,
	);
	expect(await failure({file: '[follow]\nipfs-gateway = "ipfs.example.com"\n'})).toMatch(
		/follow\.ipfs-gateway can't be used/,
	);
});

test('the price of SOL may be set and Meteora be followed, for Solana alone', async () => {
	const nodes = 'url = "wss://node.example"';
	const config = await load({file: `[follow.solana]\n${nodes}\nsol_usd = 165.5`});
	expect(config.follow.solana?.solUSD).toBe(165.5);
	expect(config.follow.solana?.meteoraDbc).toBeUndefined();
	const wanted = await load({file: `[follow.solana]\n${nodes}\nmeteora-dbc = true`});
	expect(wanted.follow.solana?.meteoraDbc).toBe(true);
	expect(await failure({file: `[follow.solana]\n${nodes}\nmeteora-dbc = "yes"`})).toMatch(/true or false/);
	expect(await failure({file: `[follow.solana]\n${nodes}\nsol_usd = "165"`})).toMatch(/a number above 0/);
	expect(await failure({file: `[follow.base]\n${nodes}\nsol_usd = 165.5`})).toMatch(/it is not a setting of a chain/);
});
