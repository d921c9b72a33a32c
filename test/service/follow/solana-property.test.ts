import {setTimeout as pause} from 'node:timers/promises';
import {expect, test} from 'vitest';
import type {ChainCoverage} from '../../../source/contract/coverage.ts';
import {entryKey} from '../../../source/contract/entry.ts';
import {createFollowedMarket, type FollowedMarket} from '../../../source/service/follow/followed-market.ts';
import {createSolanaSource} from '../../../source/service/follow/solana/solana-source.ts';
import {SOLANA_CHAIN} from '../../../source/service/follow/solana/token-book.ts';
import {ROW} from '../../../source/service/market/market.ts';
import type {Fault} from '../../chaos/fault.ts';
import {startFaultProxy} from '../../chaos/fault-proxy.ts';
import {type FakeNode, FakeSolana, type FakeToken, type TransactionLook} from '../../helpers/fake-solana.ts';
import {type Entry, openFollower} from '../../helpers/follower.ts';
import {type FollowerProcess, startFollower} from '../../helpers/follower-process.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';
import {fc} from '../../helpers/properties.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {until} from '../../helpers/until.ts';

/** Each trial waits for connections and confirmations several times. */
const TRIALS_MS = 240_000;

/** A step of a history; numbers choose tokens and amounts. */
type Step =
	| {readonly kind: 'launch'; readonly isQuotedInToken: boolean; readonly look: TransactionLook}
	| {
			readonly kind: 'trade';
			readonly token: number;
			readonly side: 'buy' | 'sell';
			readonly part: number;
			readonly look: TransactionLook;
	  }
	| {readonly kind: 'fill'; readonly token: number}
	| {readonly kind: 'mine'}
	| {readonly kind: 'limit'}
	| {readonly kind: 'lose'; readonly how: 'cut' | 'restart'; readonly steps: number};

const look = fc.record({
	isRouted: fc.boolean(),
	isCut: fc.nat({max: 9}).map(chance => chance === 0),
	isFailed: fc.nat({max: 9}).map(chance => chance === 0),
	hasForeign: fc.boolean(),
});
const calm: fc.Arbitrary<Step> = fc.oneof(
	{weight: 2, arbitrary: fc.record({kind: fc.constant('launch' as const), isQuotedInToken: fc.boolean(), look})},
	{
		weight: 8,
		arbitrary: fc.record({
			kind: fc.constant('trade' as const),
			token: fc.nat({max: 20}),
			side: fc.constantFrom('buy' as const, 'buy' as const, 'sell' as const),
			part: fc.integer({min: 1, max: 400}),
			look,
		}),
	},
	{weight: 2, arbitrary: fc.record({kind: fc.constant('fill' as const), token: fc.nat({max: 20})})},
	{weight: 4, arbitrary: fc.constant({kind: 'mine' as const})},
	{weight: 1, arbitrary: fc.constant({kind: 'limit' as const})},
);
const loss: fc.Arbitrary<Step> = fc.record({
	kind: fc.constant('lose' as const),
	how: fc.constantFrom('cut' as const, 'restart' as const),
	steps: fc.integer({min: 1, max: 8}),
});

/** A chain with two followers: one whose node is good, and one that everything happens to. */
class Trial {
	readonly solana = new FakeSolana();
	readonly tokens: FakeToken[] = [];
	/** Tokens that were launched while the troubled follower saw nothing. */
	readonly unseen = new Set<FakeToken>();
	readonly #directory = temporaryDirectory();
	#goodNode!: FakeNode;
	#badNode!: FakeNode;
	good!: FollowedMarket;
	bad!: FollowedMarket;
	losses = 0;
	#isBlind = false;

	async open(): Promise<void> {
		this.#goodNode = await this.solana.listen();
		this.#badNode = await this.solana.listen();
		this.#badNode.repeats = true;
		this.#badNode.reversesPrograms = true;
		this.good = this.#follow(this.#goodNode, undefined);
		this.bad = this.#follow(this.#badNode, this.#directory);
		await until(() => isLive(this.good) && isLive(this.bad));
	}

	async close(): Promise<void> {
		await Promise.all([this.good.close(), this.bad.close()]);
		await this.solana.close();
	}

	async run(steps: readonly Step[]): Promise<void> {
		for (let at = 0; at < steps.length; at++) {
			const step = steps[at]!;
			if (step.kind !== 'lose') {
				this.#do(step);
				continue;
			}
			const blind = steps.slice(at + 1, at + 1 + step.steps).filter(({kind}) => kind !== 'lose');
			await this.#lose(step.how, blind);
			at += step.steps;
		}
		await this.settle();
	}

	/** Goes on until both have everything. */
	async settle(): Promise<void> {
		const slot = this.solana.slot + 1;
		this.solana.settle();
		await until(() => blockOf(this.good) >= slot && blockOf(this.bad) >= slot);
		for (const market of [this.good, this.bad]) {
			market.fill();
			market.advance(this.solana.nowMs());
		}
	}

	async #lose(how: 'cut' | 'restart', blind: readonly Step[]): Promise<void> {
		await this.settle();
		this.losses++;
		this.#isBlind = true;
		if (how === 'restart') await this.bad.close();
		this.#badNode.isMute = true;
		this.#badNode.cut();
		for (const step of blind) this.#do(step);
		this.solana.mine(2);
		this.#badNode.isMute = false;
		if (how === 'restart') this.bad = this.#follow(this.#badNode, this.#directory);
		const {slot} = this.solana;
		await until(() => isLive(this.bad) && blockOf(this.bad) >= slot);
		this.#isBlind = false;
	}

	#do(step: Step): void {
		if (step.kind === 'limit') this.#badNode.faults.push('refuse-429');
		const launched = act(this.solana, this.tokens, step);
		if (launched && this.#isBlind) this.unseen.add(launched);
	}

	#follow(node: FakeNode, dataDir: string | undefined): FollowedMarket {
		const chain = {chainId: SOLANA_CHAIN, name: 'solana', urls: [node.url]};
		const market = createFollowedMarket({
			options: {chains: [chain]},
			sources: [() => createSolanaSource(chain, {nowMs: this.solana.nowMs})],
			dataDir,
			nowMs: this.solana.nowMs,
		});
		market.start();
		return market;
	}
}

/** What a step does on the chain. @returns the token that it launched, which is added to the others */
function act(solana: FakeSolana, tokens: FakeToken[], step: Step): FakeToken | undefined {
	if (step.kind === 'mine') solana.mine();
	if (step.kind === 'launch') {
		const quote = step.isQuotedInToken ? tokens[0]?.mint : undefined;
		const token = solana.launch({...(quote !== undefined && {quote}), look: step.look});
		if (step.look.isFailed) return undefined;
		tokens.push(token);
		return token;
	}
	const token = 'token' in step ? tokens[step.token % tokens.length] : undefined;
	if (token === undefined) return undefined;
	if (step.kind === 'fill') {
		solana.trade(token, 'buy', 793_100_000_000_000n);
		if (token.left === 0n && token.pool === undefined) solana.migrate(token);
	}
	if (step.kind === 'trade' && (token.left > 0n || token.pool !== undefined)) {
		solana.trade(token, step.side, BigInt(step.part) * 1_000_000_000_000n, step.look);
	}
	return undefined;
}

function isLive(market: FollowedMarket): boolean {
	return market.coverage()[0]?.state === 'live';
}

function blockOf(market: FollowedMarket): number {
	return market.coverage()[0]?.block ?? 0;
}

/** What a token is, whatever happened before it: what accounts can say again. */
function stateOf({engine}: FollowedMarket, {mint}: FakeToken) {
	const row = engine.rowOf(entryKey(SOLANA_CHAIN, mint));
	if (row === undefined) return undefined;
	return {
		symbol: engine.listing(row).token.symbol,
		pool: engine.addresses(row).pool,
		isBonded: engine.isBonded(row),
		bonding: engine.reader('bonding_percentage')(row),
		token: engine.rows.reserveToken[row],
		quote: engine.rows.reserveQuote[row],
		supply: engine.rows.supply[row],
	};
}

/** All that a client can see. */
function shown(market: FollowedMarket): Record<string, unknown> {
	const entries: Record<string, unknown> = {};
	for (let row = 0; row < market.table.length; row++) {
		if ((market.table.bits[row]! & ROW.live) === 0) continue;
		const {id: _, ...entry} = market.poolEntry(row, 20);
		// Read from accounts in the background, so that they may come a moment later.
		entries[market.engine.key(row)] = {...entry, security: undefined};
	}
	return entries;
}

async function tried(steps: readonly Step[], check: (trial: Trial) => void): Promise<void> {
	const trial = new Trial();
	await trial.open();
	try {
		await trial.run(steps);
		check(trial);
	} finally {
		await trial.close();
	}
}

test(
	'repetitions, mixed orders, cut logs, failures and limits of a node change no figure',
	async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(calm, {minLength: 20, maxLength: 60}), steps =>
				tried(steps, ({good, bad, tokens}) => {
					expect(Object.keys(shown(good)).length).toBeGreaterThanOrEqual(tokens.length);
					expect(shown(bad)).toEqual(shown(good));
				}),
			),
			{numRuns: 4},
		);
	},
	TRIALS_MS,
);

test(
	'after lost connections and restarts the state of every token that was seen is that of the chain',
	async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.oneof({weight: 8, arbitrary: calm}, {weight: 1, arbitrary: loss}), {minLength: 20, maxLength: 60}),
				steps =>
					tried(steps, ({good, bad, tokens, unseen}) => {
						for (const token of tokens) {
							expect(stateOf(good, token)).toMatchObject({pool: token.pool?.address ?? token.curve});
							expect(stateOf(bad, token)).toEqual(unseen.has(token) ? undefined : stateOf(good, token));
						}
					}),
			),
			{numRuns: 4},
		);
	},
	TRIALS_MS,
);

/** Something that happens to a follower in a process of its own, or on the line to its node. */
type Trouble =
	| {readonly kind: 'line'; readonly faults: number}
	| {readonly kind: 'kill'}
	| {readonly kind: 'restart'}
	| {readonly kind: 'wait'};

const trouble: fc.Arbitrary<Trouble> = fc.oneof(
	{weight: 3, arbitrary: fc.record({kind: fc.constant('line' as const), faults: fc.nat({max: 4})})},
	{weight: 3, arbitrary: fc.constant({kind: 'kill' as const})},
	{weight: 1, arbitrary: fc.constant({kind: 'restart' as const})},
	{weight: 3, arbitrary: fc.constant({kind: 'wait' as const})},
);
const LINES: readonly (readonly Fault[])[] = [
	[],
	[{kind: 'cut', withinMs: 30}],
	[{kind: 'unavailable', part: 0.3}],
	[{kind: 'truncate', part: 0.2}],
	[{kind: 'jitter', ms: 40}],
];
/** A step takes so long on the clock of the machine: some of them meet a follower that is starting, others one that has just begun to read. */
const STEP_MS = 15;
const USD_PER_SOL = 200;

/** A history that one follower sees in peace and another one through a bad line, killed and restarted meanwhile. */
async function livedThrough(steps: readonly (Step | Trouble)[], seed: number) {
	const solana = new FakeSolana();
	const node = await solana.listen();
	const line = await startFaultProxy({target: `http://${new URL(node.url).host}`, seed});
	const dataDir = temporaryDirectory();
	const options = {chainId: SOLANA_CHAIN, name: 'solana', nativeUSD: USD_PER_SOL};
	const start = () => startFollower({...options, urls: [line.streamUrl], dataDir, nowMs: solana.nowMs()});
	const good = openFollower({...options, urls: [node.url], nowMs: solana.nowMs()});
	let bad: FollowerProcess = start();
	const tokens: FakeToken[] = [];
	try {
		await settled(solana, async () => [good.coverage, await bad.coverage()]);
		for (const step of steps) {
			if (step.kind === 'line') line.set(LINES[step.faults]!);
			else if (step.kind === 'kill' || step.kind === 'restart') {
				await bad[step.kind === 'kill' ? 'kill' : 'close']();
				bad = start();
			} else if (step.kind === 'wait') {
				line.set([]);
				await settled(solana, async () => [await bad.coverage()]);
			} else {
				act(solana, tokens, step);
				// What happens is in a slot at once: accounts are never ahead of it.
				solana.mine();
				bad.at(solana.nowMs());
				good.at(solana.nowMs());
				await pause(STEP_MS);
			}
		}
		line.set([]);
		await settled(solana, async () => [good.coverage, await bad.coverage()]);
		bad.at(solana.nowMs());
		good.at(solana.nowMs());
		return {tokens, fresh: good.entries(), lived: await bad.entries(), coverage: await bad.coverage()};
	} finally {
		await bad.kill();
		await good.close();
		await line.close();
		await solana.close();
	}
}

/** Goes on until followers are live and have all that happened until now. */
async function settled(solana: FakeSolana, seen: () => Promise<readonly (ChainCoverage | undefined)[]>): Promise<void> {
	const slot = solana.slot + 1;
	const end = performance.now() + PATIENCE_MS;
	for (let turn = 0; ; turn++) {
		if (turn % 10 === 0) solana.settle();
		const coverages = await seen();
		if (coverages.every(coverage => coverage?.state === 'live' && (coverage.block ?? 0) >= slot)) return;
		if (performance.now() > end) throw new Error(`slot ${slot} was not seen: ${JSON.stringify(coverages)}`);
		await pause(20);
	}
}

/** Windows that are longer than any history here. */
const LONG_WINDOW = /(?<!\d)(?:1h|4h|6h|12h|24h)(?![a-z0-9])/;
const STATE = ['address', 'poolAddress', 'bonded', 'bondingPercentage', 'approximateReserveToken', 'totalSupply'];

/** Figures that are neither right nor unknown. */
function wrongFigures(lived: Entry, fresh: Entry): string[] {
	const names = Object.keys(fresh).filter(name => LONG_WINDOW.test(name) || name === 'holdersCount');
	const isWrong = (name: string) => (lived[name] ?? null) !== null && !isNear(lived[name], fresh[name]);
	return names.filter(isWrong).map(name => `${name}: ${lived[name]} instead of ${fresh[name]}`);
}

function isNear(a: unknown, b: unknown): boolean {
	if (typeof a !== 'number' || typeof b !== 'number') return Object.is(a, b);
	return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b), 1);
}

test(
	'through kills, restarts and a bad line every figure is right or unknown, and what is missing is in a gap',
	async () => {
		const steps = fc.array(
			fc.oneof({weight: 5, arbitrary: calm as fc.Arbitrary<Step | Trouble>}, {weight: 1, arbitrary: trouble}),
			{minLength: 30, maxLength: 80},
		);
		await fc.assert(
			fc.asyncProperty(steps, fc.nat(), async (each, seed) => {
				const {tokens, fresh, lived, coverage} = await livedThrough(each, seed);
				for (const {mint, bornSlot} of tokens) {
					const key = entryKey(SOLANA_CHAIN, mint);
					const [one, other] = [lived.get(key), fresh.get(key)!];
					if (one === undefined) {
						const isInGap = coverage.gaps.some(gap => gap.fromBlock <= bornSlot && bornSlot <= gap.toBlock);
						expect({isInGap, mint, bornSlot, gaps: coverage.gaps}).toMatchObject({isInGap: true});
						continue;
					}
					expect(Object.keys(other)).toEqual(expect.arrayContaining([...STATE, 'volume_24h', 'holdersCount']));
					expect(wrongFigures(one, other)).toEqual([]);
					const differing = STATE.filter(name => !isNear(one[name], other[name]));
					expect(differing.map(name => `${name}: ${one[name]} instead of ${other[name]}`)).toEqual([]);
				}
			}),
			{numRuns: Number(process.env['PULSETOP_HISTORIES'] ?? 3), endOnFailure: true},
		);
	},
	TRIALS_MS,
);
