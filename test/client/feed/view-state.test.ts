import {expect, test} from 'vitest';
import {
	type Change,
	createViewState,
	type PendingRequest,
	type ViewUpdate,
} from '../../../source/client/feed/view-state.ts';
import {createNormaliser} from '../../../source/client/wire/normalise.ts';
import {fc} from '../../helpers/properties.ts';

const normaliser = createNormaliser();
const wireOf = (address: string, cap: number) => ({chainId: 'evm:8453', address, market_cap: cap});

/** What the service would send on the stream, in order, and its REST responses that are not delivered yet. */
type Wire = {readonly full: readonly object[]} | Change;

test('whichever way the stream and REST interleave, the view ends as the service has it', () => {
	const move = fc.oneof(
		{weight: 4, arbitrary: fc.record({kind: fc.constant('put' as const), i: fc.nat(3), cap: fc.nat(999)})},
		{weight: 2, arbitrary: fc.record({kind: fc.constant('remove' as const), i: fc.nat(3)})},
		{weight: 6, arbitrary: fc.record({kind: fc.constant('deliver' as const)})},
		{weight: 2, arbitrary: fc.record({kind: fc.constant('sync' as const)})},
		{weight: 4, arbitrary: fc.record({kind: fc.constant('ask' as const)})},
		{weight: 4, arbitrary: fc.record({kind: fc.constant('serve' as const)})},
		{weight: 4, arbitrary: fc.record({kind: fc.constant('answer' as const)})},
		{weight: 1, arbitrary: fc.record({kind: fc.constant('fail' as const)})},
	);
	fc.assert(
		fc.property(fc.array(move, {maxLength: 60}), fc.boolean(), fc.boolean(), (moves, beginsWithInit, answersFirst) => {
			const state = createViewState('new', normaliser, () => 100);
			const service = new Map<string, number>();
			const stream: Wire[] = [];
			const rest: {request: PendingRequest; data?: readonly object[]}[] = [];
			const reader = new Map<string, number | undefined>();
			const all = () => [...service].map(([address, cap]) => wireOf(address, cap));
			const read = (update: ViewUpdate | undefined) => {
				if (update?.kind === 'snapshot') reader.clear();
				const entries = update?.kind === 'snapshot' ? update.entries : (update?.upserts ?? []);
				for (const entry of entries) reader.set(entry.key, entry.market_cap);
				if (update?.kind === 'change') for (const key of update.removed) reader.delete(key);
			};
			const deliver = () => {
				const wire = stream.shift();
				if (wire) read('full' in wire ? state.replace({data: wire.full, total: undefined}) : state.apply(wire));
			};
			const response = () => {
				const request = rest.shift();
				if (!request) return;
				const data = request.data ?? all();
				for (const update of state.applyResponse(request.request, {data, total: undefined}) ?? []) read(update);
			};
			if (beginsWithInit) stream.push({full: all()});
			for (const {kind, ...how} of moves) {
				const address = `0x${'i' in how ? how.i : 0}`;
				if (kind === 'put') {
					service.set(address, (how as {cap: number}).cap);
					stream.push({id: undefined, kind, view: 'new', wire: wireOf(address, (how as {cap: number}).cap)});
				}
				if (kind === 'remove' && service.delete(address)) {
					stream.push({id: undefined, kind: 'drop', view: 'new', which: {by: 'key', key: `evm:8453|${address}`}});
				}
				if (kind === 'deliver') deliver();
				if (kind === 'sync') stream.push({full: all()});
				if (kind === 'ask') rest.push({request: state.startRequest()});
				const next = rest.find(request => request.data === undefined);
				if (kind === 'serve' && next) next.data = all();
				if (kind === 'answer') response();
				if (kind === 'fail' && rest.length > 0) state.endRequest(rest.shift()!.request);
			}
			// All that is still under way arrives, in either order.
			for (const drain of answersFirst ? [response, deliver] : [deliver, response]) {
				while ((drain === response ? rest : stream).length > 0) drain();
			}
			if (state.isPending) {
				rest.push({request: state.startRequest()});
				response();
			}
			expect(Object.fromEntries(reader)).toEqual(
				Object.fromEntries([...service].map(([address, cap]) => [`evm:8453|${address}`, cap])),
			);
		}),
		{numRuns: 5_000},
	);
});

test('an answer to an older request is dropped, and changes of the new one wait for its full view', () => {
	const state = createViewState('new', normaliser, () => 100);
	const old = state.startRequest();
	state.renew();
	const request = state.startRequest();
	expect(state.apply({id: undefined, kind: 'put', view: 'new', wire: wireOf('0x2', 2)})).toBeUndefined();
	expect(state.applyResponse(old, {data: [wireOf('0x9', 9)], total: undefined})).toBeUndefined();
	const updates = state.applyResponse(request, {data: [wireOf('0x1', 1)], total: 5});
	expect(updates?.map(update => update.kind)).toEqual(['snapshot', 'change']);
	expect(state.size).toBe(2);
});

test('a service that never says what left cannot fill the memory', () => {
	const state = createViewState('new', normaliser, () => 10);
	state.replace({data: [], total: undefined});
	const removed = [];
	for (let i = 0; i < 50; i++) {
		const update = state.apply({id: undefined, kind: 'put', view: 'new', wire: wireOf(`0x${i}`, i)});
		if (update?.kind === 'change') removed.push(...update.removed);
	}
	expect(state.size).toBe(10);
	expect(removed).toHaveLength(40);
	expect(removed[0]).toBe('evm:8453|0x0');
});

test('a removal by pool address or by bare address finds its entry', () => {
	const state = createViewState('new', normaliser, () => 10);
	state.replace({data: [{...wireOf('0xA1', 1), poolAddress: '0xP00'}, wireOf('0xA2', 2)], total: undefined});
	expect(state.apply({id: undefined, kind: 'drop', view: 'new', which: {by: 'pool', address: '0xp00'}})).toMatchObject({
		removed: ['evm:8453|0xa1'],
	});
	expect(
		state.apply({id: undefined, kind: 'drop', view: 'new', which: {by: 'address', address: '0xa2'}}),
	).toMatchObject({removed: ['evm:8453|0xa2']});
	expect(
		state.apply({id: undefined, kind: 'drop', view: 'new', which: {by: 'address', address: '0xa2'}}),
	).toBeUndefined();
});
