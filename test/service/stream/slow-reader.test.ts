import type {Socket} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import {afterEach, expect, test} from 'vitest';
import {startService} from '../../../source/service/server.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';
import {type Frame, StreamClient} from '../helpers/stream-client.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

let service: RunningService;
let client: StreamClient;

afterEach(async () => {
	client.socket.terminate();
	await service.close();
});

const ROWS = 100;
const ROUNDS = 60;
const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;

/** The frames of a reader merged as a client does, so that its last state can be compared. */
function stateOf(frames: readonly Frame[]): Map<string, number> {
	const state = new Map<string, number>();
	for (const {type, payload} of frames) {
		if (type === 'init' || type === 'sync') {
			state.clear();
			for (const entry of payload.v.data) state.set(entry.address, entry.market_cap);
		} else if (type === 'new-token' || type === 'update-token')
			state.set(payload.token.address, payload.token.market_cap);
		else if (type === 'remove-token') state.delete(payload.tokenKey.split('|')[1]);
	}
	return state;
}

test('a reader that stops reading costs no memory, and afterwards gets the newest state instead of all that was missed', async () => {
	const market = new TinyMarket();
	for (let n = 0; n < ROWS; n++) market.add({address: address(n), created_at: n, market_cap: 0});
	service = await startService({market, apiKeys: ['k'], flushMs: 5, limits: {socketBytes: 64 << 10}});
	client = await StreamClient.open(service.streamUrl);
	client.send({type: 'pulse-v2', authorization: 'k', payload: {assetMode: true, views: [{name: 'v', limit: ROWS}]}});
	const init = await client.next(frame => frame['type'] === 'init');
	const snapshotBytes = JSON.stringify(init).length;
	const raw = (client.socket as unknown as {_socket: Socket})._socket;
	raw.pause();
	const before = raw.bytesRead;
	for (let round = 1; round <= ROUNDS; round++) {
		for (let n = 0; n < ROWS; n++) market.change(n, {market_cap: round});
		// Tokens that come and go unseen.
		market.free(market.add({address: address(1000 + round), created_at: 1000 + round}));
		await sleep(8);
	}
	raw.resume();
	// Each row in its last state: what is merged from the frames, not how they were cut.
	const until = Date.now() + PATIENCE_MS;
	while ([...stateOf(client.frames).values()].some(cap => cap !== ROUNDS) && Date.now() < until) await sleep(20);
	const state = stateOf(client.frames);
	expect(state.size).toBe(ROWS);
	expect([...state.values()].every(cap => cap === ROUNDS)).toBe(true);
	// All that was missed would be ROUNDS snapshots; what came is what the system's buffers took before it was held back.
	expect(raw.bytesRead - before).toBeLessThan((ROUNDS / 2) * snapshotBytes);
});
