import {createServer} from 'node:http';
import {expect, onTestFinished, test} from 'vitest';
import {createNormaliser} from '../../../source/client/wire/normalise.ts';
import {entryKey} from '../../../source/contract/entry.ts';
import type {FollowedMarket} from '../../../source/service/follow/followed-market.ts';
import {createMetadataFetch} from '../../../source/service/follow/metadata-fetch.ts';
import {openFollowedMarket} from '../../../source/service/follow/open-followed.ts';
import type {EventSink} from '../../../source/service/market/event-source.ts';
import {FakeSolana, type FakeToken} from '../../helpers/fake-solana.ts';
import {listenOnLoopback} from '../../helpers/loopback.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {until} from '../../helpers/until.ts';
import {address, batch, CHAIN, launch, trade, transfer} from './made-events.ts';
import {openFollowed, shown} from './shown-market.ts';

/* What the documents say that tokens name, in a market that follows chains. */

const A = address(1);
const B = address(2);

async function documents(text: string): Promise<{readonly uri: string; readonly paths: string[]}> {
	const paths: string[] = [];
	const server = createServer((request, response) => {
		paths.push(request.url!);
		response.end(text);
	});
	const {url, close} = await listenOnLoopback(server);
	onTestFinished(close);
	return {uri: `${url}/a.json`, paths};
}

interface Running {
	readonly market: FollowedMarket;
	readonly sink: EventSink;
}

function follow({dataDir, reads = true}: {dataDir?: string; reads?: boolean} = {}): Running {
	let sink!: EventSink;
	const source = {
		start: (given: EventSink) => {
			sink = given;
		},
		stop: async () => {},
	};
	const market = openFollowed(source, dataDir, {
		metadata: reads ? createMetadataFetch({allowPrivate: true}) : undefined,
	});
	market.start();
	onTestFinished(() => market.close());
	return {market, sink};
}

function profileOf({market}: Running, token: string) {
	const row = market.engine.rowOf(entryKey(CHAIN, token));
	return row === undefined ? undefined : market.engine.listing(row).token.profile;
}

const DOCUMENT = JSON.stringify({description: 'a frog', twitter: 'https://x.com/pepe', image: 'https://e.org/a.png'});

test('a launch that names a document gets its description and links, also after a restart, and it is read once', async () => {
	const {uri, paths} = await documents(DOCUMENT);
	const dataDir = temporaryDirectory();
	const first = follow({dataDir});
	await first.sink.append(batch(10, 12, [launch(A, 10, {profile: {uri}}), transfer(A, 11), launch(B, 12)]));
	await until(() => profileOf(first, A)?.description === 'a frog');
	expect(profileOf(first, A)).toEqual({
		uri,
		description: 'a frog',
		twitter: 'https://x.com/pepe',
		logo: 'https://e.org/a.png',
	});
	expect(profileOf(first, B)).toEqual({});
	expect(first.market.coverage()[0]!.documents).toEqual({read: 1, unread: 0, skipped: 0});
	await first.sink.append(batch(13, 13, [trade(A, 13)]));
	const before = shown(first.market);
	await first.market.close();

	const second = follow({dataDir});
	expect(shown(second.market)).toEqual(before);
	expect(profileOf(second, A)?.description).toBe('a frog');
	expect(paths).toEqual(['/a.json']);
});

test('without the permission nothing is asked for, and what documents say is unknown', async () => {
	const {uri, paths} = await documents(DOCUMENT);
	const without = follow({reads: false});
	const other = follow();
	for (const {sink} of [without, other]) await sink.append(batch(10, 10, [launch(A, 10, {profile: {uri}})]));
	await until(() => profileOf(other, A)?.description === 'a frog');
	expect(profileOf(without, A)).toEqual({uri});
	expect(without.market.coverage()[0]).not.toHaveProperty('documents');
	expect(paths).toHaveLength(1);
});

test('the options of a market open it with a gateway, and the document of a launch on Solana is read there', async () => {
	const {uri, paths} = await documents(DOCUMENT);
	const solana = new FakeSolana(Date.now());
	onTestFinished(() => solana.close());
	const node = await solana.listen();
	const chains = [{chainId: 'solana:solana', name: 'solana', urls: [node.url]}];
	const options = {chains, allowFetch: true, ipfsGateway: new URL(uri).origin};
	const market = await openFollowedMarket(options, {dataDir: undefined, log: () => {}});
	onTestFinished(() => market.close());
	market.start();
	await until(() => market.coverage()[0]?.state === 'live');
	const content = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG';
	const token = solana.launch({uri: `ipfs://${content}`});
	const refused = solana.launch({uri});
	solana.settle();
	const profile = ({mint}: FakeToken) => {
		const row = market.engine.rowOf(entryKey('solana:solana', mint));
		return row === undefined ? undefined : market.engine.listing(row).token.profile;
	};
	await until(() => profile(token)?.description === 'a frog' && market.coverage()[0]?.documents?.unread === 1);
	expect(profile(refused)).not.toHaveProperty('description');
	expect(paths).toEqual([`/ipfs/${content}`]);
});

test('blocks that are taken back change no figure and no description, and nothing is read twice', async () => {
	const {uri, paths} = await documents(DOCUMENT);
	const read = follow();
	const plain = follow({reads: false});
	const history = [launch(A, 10, {profile: {uri}}), transfer(A, 11), trade(A, 11)];
	for (const {sink} of [read, plain]) await sink.append(batch(10, 11, history));
	await until(() => profileOf(read, A)?.description === 'a frog');
	for (const {sink} of [read, plain]) {
		// The description was stored behind block 11.
		await sink.takeBack(CHAIN, 11);
		await sink.append(batch(11, 12, [transfer(A, 11), trade(A, 12, {valueUSD: 7})]));
	}
	expect(profileOf(read, A)?.description).toBe('a frog');
	for (const {sink} of [read, plain]) {
		await sink.takeBack(CHAIN, 9);
		await sink.append(batch(9, 14, [launch(A, 13, {profile: {uri}}), transfer(A, 13), trade(A, 14, {valueUSD: 9})]));
	}
	expect(profileOf(read, A)?.description).toBe('a frog');
	expect(paths).toHaveLength(1);

	expect(withoutWords(read)).toEqual(withoutWords(plain));
});

test('a document with escape codes says them to no terminal, and a token that is gone is not described', async () => {
	const hostile = {
		description: '\u001B]0;owned\u0007a \u202Efrog',
		website: 'javascript:alert(1)',
		twitter: '\u001B[2J',
	};
	const {uri} = await documents(JSON.stringify(hostile));
	const running = follow();
	await running.sink.append(
		batch(10, 11, [launch(A, 10, {profile: {uri}}), transfer(A, 11), launch(B, 11, {profile: {uri}})]),
	);
	await running.sink.forget(CHAIN, [B]);
	await until(() => profileOf(running, A)?.description !== undefined);
	expect(running.market.engine.rowOf(entryKey(CHAIN, B))).toBeUndefined();
	const entry = createNormaliser().entry(
		running.market.poolEntry(running.market.engine.rowOf(entryKey(CHAIN, A))!, 10),
	);
	expect(entry?.description).toBe('a �frog');
	expect(entry?.website).toBeUndefined();
	expect(entry?.twitter).toBeUndefined();
});

/** All that is shown, but what the document said. */
function withoutWords({market}: Running): unknown {
	return JSON.parse(JSON.stringify(shown(market)), (name, value) =>
		['socials', 'description', 'originLogoUrl', 'logo', 'twitterReusesCount'].includes(name) ? undefined : value,
	);
}
