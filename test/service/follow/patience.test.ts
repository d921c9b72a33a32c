import {createServer, type IncomingMessage} from 'node:http';
import {afterEach, expect, test} from 'vitest';
import {createEvmSource} from '../../../source/service/follow/evm/evm-source.ts';
import {DrivenClock} from '../../helpers/driven-clock.ts';
import {openWorld, type World} from '../../helpers/follow-world.ts';
import {listenOnLoopback} from '../../helpers/loopback.ts';
import {PlainSink} from '../../helpers/plain-sink.ts';

/* Nodes that give blocks and logs, and then not what has to be known of them. Time of waiting is that of a clock which goes on when everything waits for it. */

const DAY_MS = 86_400_000;
const open: {close(): Promise<unknown>}[] = [];

afterEach(async () => {
	for (const part of open.splice(0).reverse()) await part.close();
});

/** A node in front of that of a world. @param retell what becomes of an answer; undefined: the connection is cut */
async function nodeBefore(world: World, retell: (asked: string, answer: string) => string | undefined) {
	const server = createServer(async (request, response) => {
		const body = await textOf(request);
		const answer = await fetch(world.url, {method: 'POST', headers: {'content-type': 'application/json'}, body});
		const told = retell(body, await answer.text());
		if (told === undefined) request.socket.destroy();
		else response.writeHead(200, {'content-type': 'application/json'}).end(told);
	});
	const node = await listenOnLoopback(server);
	open.push(node);
	return node.url;
}

async function textOf(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString();
}

/** A chain of BNB Smart Chain with a launch and a trade, and a market clock that stands. */
async function worldWithTrade(): Promise<World> {
	const world = await openWorld({chain: 'bnb'});
	open.push(world);
	const token = await world.launch();
	await world.buy(token, 'ann', 1);
	return world;
}

function follow(world: World, url: string): PlainSink {
	const sink = new PlainSink();
	const chain = {chainId: `evm:${world.places.number}`, name: world.places.name, urls: [url], confirmations: 0};
	const nowMs = world.nowMs();
	const source = createEvmSource({
		chain,
		backfillMs: DAY_MS,
		log: () => {},
		nowMs: () => nowMs,
		clock: new DrivenClock(),
	});
	open.push({close: () => source.stop()});
	source.start(sink, new Map());
	return sink;
}

function tradesOf(sink: PlainSink) {
	return sink.events.filter(event => event.type === 'trade');
}

test('a node whose state stays older than its blocks holds nothing up: prices stay unknown', async () => {
	const world = await worldWithTrade();
	const later = (_: string, hex: string) => `"timestamp":"0x${(Number(hex) + 3600).toString(16)}"`;
	const url = await nodeBefore(world, (_, answer) => answer.replaceAll(/"timestamp":"(0x[0-9a-f]+)"/g, later));
	const sink = follow(world, url);
	await sink.until(() => tradesOf(sink).length === 1);
	expect(tradesOf(sink)[0]!.valueUSD).toBeNull();
});

test('a node that gives logs and nothing else is no live chain, and is followed again when it answers', async () => {
	const world = await worldWithTrade();
	let isMute = true;
	const url = await nodeBefore(world, (asked, answer) => (isMute && asked.includes('eth_call') ? undefined : answer));
	const sink = follow(world, url);
	await sink.until(({coverage}) => coverage?.state === 'unreachable');
	expect(sink.coverage?.why).toContain('the connection ended');
	expect(tradesOf(sink)).toEqual([]);
	isMute = false;
	await sink.until(() => tradesOf(sink).length === 1);
	await sink.until(({coverage}) => coverage?.state === 'live');
	expect(tradesOf(sink)[0]!.valueUSD).not.toBeNull();
});
