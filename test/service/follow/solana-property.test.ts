import fc from 'fast-check';
import {expect, test} from 'vitest';
import {entryKey} from '../../../source/contract/entry.ts';
import {createFollowedMarket, type FollowedMarket} from '../../../source/service/follow/followed-market.ts';
import {createSolanaSource} from '../../../source/service/follow/solana/solana-source.ts';
import {SOLANA_CHAIN} from '../../../source/service/follow/solana/token-book.ts';
import {ROW} from '../../../source/service/market/market.ts';
import {type FakeNode, FakeSolana, type FakeToken, type TransactionLook} from '../../helpers/fake-solana.ts';
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
		if (step.kind === 'mine') this.solana.mine();
		if (step.kind === 'limit') this.#badNode.faults.push('refuse-429');
		if (step.kind === 'launch') {
			const quote = step.isQuotedInToken ? this.tokens[0]?.mint : undefined;
			const token = this.solana.launch({...(quote !== undefined && {quote}), look: step.look});
			if (step.look.isFailed) return;
			this.tokens.push(token);
			if (this.#isBlind) this.unseen.add(token);
		}
		const token = 'token' in step ? this.tokens[step.token % this.tokens.length] : undefined;
		if (token === undefined) return;
		if (step.kind === 'fill') {
			this.solana.trade(token, 'buy', 793_100_000_000_000n);
			if (token.left === 0n && token.pool === undefined) this.solana.migrate(token);
		}
		if (step.kind === 'trade' && (token.left > 0n || token.pool !== undefined)) {
			this.solana.trade(token, step.side, BigInt(step.part) * 1_000_000_000_000n, step.look);
		}
	}

	#follow(node: FakeNode, dataDir: string | undefined): FollowedMarket {
		const chain = {chainId: SOLANA_CHAIN, name: 'solana', urls: [node.url]};
		const market = createFollowedMarket({
			options: {chains: [chain]},
			sources: [createSolanaSource(chain, {nowMs: this.solana.nowMs})],
			dataDir,
			nowMs: this.solana.nowMs,
		});
		market.start();
		return market;
	}
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
