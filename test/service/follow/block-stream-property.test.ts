import {test} from 'vitest';
import {type HostileNode, type Lie, startHostileNode} from '../../helpers/hostile-node.ts';
import {PlayedChain} from '../../helpers/played-chain.ts';
import {fc} from '../../helpers/properties.ts';
import {expectTruth, follow, OTHER, swap, TOKEN} from './followed-blocks.ts';

const RUNS = Number(process.env['FOLLOW_RUNS'] ?? 12);

/** What happens to a chain, its node or its reader. */
type Happening =
	| {readonly kind: 'mine'; readonly blocks: number; readonly every: number}
	| {readonly kind: 'reorg'; readonly depth: number; readonly blocks: number}
	| {readonly kind: 'fault'; readonly fault: keyof typeof FAULTS; readonly answers: number}
	| {readonly kind: 'restart'; readonly hasTrail: boolean; readonly missed: number}
	| {readonly kind: 'settle'};

const FAULTS: Readonly<Record<string, (method: string, honest: () => unknown, node: HostileNode) => Lie>> = {
	cut: () => 'cut',
	silence: () => 'silence',
	busy: () => ({status: 429, headers: {'retry-after': '0.2'}}),
	overloaded: () => ({status: 503}),
	refusal: () => ({refusal: {code: -32000, message: 'internal error'}}),
	empty: method => (method === 'eth_getLogs' ? {result: []} : undefined),
	doubled: (method, honest) =>
		method === 'eth_getLogs' ? {result: [...(honest() as unknown[]), ...(honest() as unknown[])]} : undefined,
	foreign: (method, honest) =>
		method === 'eth_getLogs'
			? {result: (honest() as object[]).map(log => ({...log, blockHash: `0x${'ee'.repeat(32)}`}))}
			: undefined,
	'no block': (method, honest) => (method === 'eth_getBlockByNumber' ? {result: null} : {result: honest()}),
};

const happening: fc.Arbitrary<Happening> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({kind: fc.constant('mine' as const), blocks: fc.nat(9), every: fc.integer({min: 1, max: 4})}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('reorg' as const),
			depth: fc.integer({min: 1, max: 20}),
			blocks: fc.nat(25),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('fault' as const),
			// Logs left out of a block that has others cannot be found out.
			fault: fc.constantFrom(...Object.keys(FAULTS)),
			answers: fc.integer({min: 1, max: 3}),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({kind: fc.constant('restart' as const), hasTrail: fc.boolean(), missed: fc.nat(80)}),
	},
	{weight: 2, arbitrary: fc.record({kind: fc.constant('settle' as const)})},
);

function mine(chain: PlayedChain, blocks: number, every: number): void {
	for (let i = 0; i < blocks; i++) {
		const n = chain.head.number;
		chain.mine(n % every === 0 ? [swap(n), swap(n, OTHER), swap(n, TOKEN)] : []);
	}
}

test('whatever happens to chain, node and reader, what was read is the chain in the end', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(happening, {minLength: 3, maxLength: 14}), fc.boolean(), async (happenings, isPushed) => {
			const chain = new PlayedChain();
			mine(chain, 90, 3);
			const node = await startHostileNode(chain);
			const second = await startHostileNode(chain);
			const urls = isPushed ? [node.wsUrl, second.url] : [node.url, second.wsUrl];
			const settings = {urls, chain, deadlineMs: 300};
			let followed = follow(settings);
			let highest = chain.head.number;
			try {
				for (const step of happenings) {
					if (step.kind === 'mine') mine(chain, step.blocks, step.every);
					if (step.kind === 'reorg') {
						chain.drop(step.depth);
						mine(chain, step.blocks, 2);
					}
					if (step.kind === 'fault') lieFor(step.answers, FAULTS[step.fault]!, node, second);
					if (step.kind === 'restart') {
						await followed.stop();
						mine(chain, step.missed, 3);
						const cursor = followed.cursor();
						const earlier = followed.lines().filter(line => Number(line.split(' ')[0]) <= (cursor?.block ?? 0));
						const start = cursor && (step.hasTrail ? cursor : {block: cursor.block, hash: cursor.hash});
						followed = follow({...settings, earlier, ...(start && {start})});
					}
					highest = Math.max(highest, chain.head.number);
					if (step.kind === 'settle') await expectSettled();
					for (const one of [node, second]) one.pushHead();
				}
				for (const one of [node, second]) one.lie(undefined);
				mine(chain, 30, 2);
				await expectSettled();
			} finally {
				await followed.stop();
				await Promise.all([node.close(), second.close()]);
			}

			async function expectSettled(): Promise<void> {
				// A chain that only lost blocks looks like a node that lags, until it has another block where one was read.
				mine(chain, highest + 1 - chain.head.number, 2);
				highest = chain.head.number;
				for (const one of [node, second]) one.pushHead();
				await expectTruth(followed, chain);
			}
		}),
		{numRuns: RUNS, endOnFailure: true},
	);
});

/** The same fault of both nodes, for the next so many calls of each. */
function lieFor(answers: number, fault: (typeof FAULTS)[string], ...nodes: readonly HostileNode[]): void {
	for (const node of nodes) {
		let left = answers;
		node.lie((call, honest) => (left-- > 0 ? fault(call.method, honest, node) : undefined));
	}
}
