import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {entryKey} from '../../../source/contract/entry.ts';
import {Journal} from '../../../source/service/log/journal.ts';
import type {ChainGap, EventBatch, SourceFact} from '../../../source/service/market/event-source.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import {fc} from '../../helpers/properties.ts';
import {address, batch, blockMs, CHAIN, launch, trade, transfer} from '../follow/made-events.ts';

const TOKENS = [1, 2, 3, 4].map(address);

/** What happened to a journal; blocks follow from what was there. */
type Step =
	| {
			readonly do: 'append';
			readonly blocks: number;
			readonly events: readonly MadeEvent[];
			readonly facts: readonly number[];
	  }
	| {readonly do: 'take back'; readonly blocks: number}
	| {readonly do: 'gap'; readonly blocks: number}
	| {readonly do: 'forget'; readonly token: number}
	| {readonly do: 'reopen'};

interface MadeEvent {
	readonly token: number;
	readonly type: 'launch' | 'trade' | 'transfer';
	/** Where among the blocks of the batch, 0 to 1. */
	readonly at: number;
	readonly amount: number;
}

const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({
			do: fc.constant('append' as const),
			blocks: fc.integer({min: 1, max: 5}),
			events: fc.array(
				fc.record({
					token: fc.nat(TOKENS.length - 1),
					type: fc.constantFrom('launch' as const, 'trade' as const, 'trade' as const, 'transfer' as const),
					at: fc.double({min: 0, max: 1, noNaN: true}),
					amount: fc.integer({min: 1, max: 1000}),
				}),
				{maxLength: 8},
			),
			facts: fc.array(fc.nat(3), {maxLength: 3}),
		}),
	},
	{weight: 3, arbitrary: fc.record({do: fc.constant('take back' as const), blocks: fc.integer({min: 1, max: 12})})},
	{weight: 1, arbitrary: fc.record({do: fc.constant('gap' as const), blocks: fc.integer({min: 1, max: 4})})},
	{weight: 1, arbitrary: fc.record({do: fc.constant('forget' as const), token: fc.nat(TOKENS.length - 1)})},
	{weight: 2, arbitrary: fc.record({do: fc.constant('reopen' as const)})},
);

/** A journal as lists, by the words of EventSink. */
class Model {
	events: {readonly block: number; readonly event: MarketEvent}[] = [];
	facts: SourceFact[] = [];
	cursors: {readonly block: number; readonly cursor: string}[] = [];
	gaps: ChainGap[] = [];
	/** The last block that is known, or known to be unknown. */
	last = 0;

	append({toBlock, events, facts, cursor}: EventBatch): void {
		for (const event of events as (MarketEvent & {token: string; block: number})[]) {
			const isLaunched = this.events.some(one => 'token' in one.event && one.event.token === event.token);
			if ((event.type === 'launch') !== isLaunched) this.events.push({block: event.block, event});
		}
		this.facts.push(...facts);
		this.cursors.push({block: toBlock, cursor});
		this.last = toBlock;
	}

	takeBack(fromBlock: number): void {
		this.events = this.events.filter(({block}) => block < fromBlock);
		this.facts = this.facts.filter(({block}) => block < fromBlock);
		this.cursors = this.cursors.filter(({block}) => block < fromBlock);
		this.gaps = this.gaps.filter(gap => gap.toBlock < fromBlock);
		this.last = fromBlock - 1;
	}

	forget(token: string): void {
		this.events = this.events.filter(({event}) => !('token' in event) || event.token !== token);
		this.facts = this.facts.filter(({key}) => key !== `token:${token}`);
	}

	reopen(): void {
		this.takeBack((this.cursors.at(-1)?.block ?? -1) + 1);
		this.last = Math.max(this.last, 0);
	}

	eventsOf(token: string): MarketEvent[] {
		const own = this.events.filter(({event}) => 'token' in event && event.token === token);
		const launched = own[0]?.block ?? Number.POSITIVE_INFINITY;
		const gaps = this.gaps
			.filter(gap => gap.toBlock > launched)
			.map(({toBlock, fromMs, toMs}): (typeof own)[number] => ({
				block: toBlock,
				event: {type: 'gap', chainId: CHAIN, token, block: toBlock, fromMs, timeMs: toMs},
			}));
		return [...own, ...gaps].sort((a, b) => a.block - b.block).map(({event}) => event);
	}

	newestFacts(): SourceFact[] {
		const newest = new Map<string, SourceFact>();
		for (const fact of this.facts) newest.set(fact.key, fact);
		return [...newest.values()];
	}
}

const KEYS = ['price', 'state', `token:${TOKENS[0]}`, `token:${TOKENS[1]}`];

test('whatever is stored, taken back, forgotten and opened again, a journal has what was left', () => {
	fc.assert(
		fc.property(fc.array(step, {minLength: 1, maxLength: 25}), steps => {
			const dataDir = mkdtempSync(join(tmpdir(), 'pulsetop-journal-'));
			const model = new Model();
			let journal = new Journal({dataDir});
			try {
				for (const one of steps) {
					if (one.do === 'reopen') {
						journal.close();
						journal = new Journal({dataDir});
						model.reopen();
					} else doStep(one, journal, model);
					expectSame(journal, model);
				}
			} finally {
				journal.close();
				rmSync(dataDir, {recursive: true});
			}
		}),
		{numRuns: 60},
	);
});

function doStep(step: Exclude<Step, {do: 'reopen'}>, journal: Journal, model: Model): void {
	if (step.do === 'append') {
		const next = madeBatch(step, model.last + 1);
		journal.append(next);
		model.append(next);
	} else if (step.do === 'take back') {
		// A gap is one thing: a reorganisation reaches all of it or nothing in these histories.
		const fromBlock = wholeGaps(Math.max(1, model.last + 1 - step.blocks), model.gaps);
		journal.takeBack(CHAIN, fromBlock);
		model.takeBack(fromBlock);
	} else if (step.do === 'gap') {
		const fromBlock = model.last + 1;
		const toBlock = model.last + step.blocks;
		const gap = {
			chainId: CHAIN,
			fromBlock,
			toBlock,
			fromMs: blockMs(fromBlock),
			toMs: blockMs(toBlock),
			why: 'no answer',
		};
		journal.gap(gap);
		model.gaps.push(gap);
		model.last = toBlock;
	} else {
		journal.forget(CHAIN, [TOKENS[step.token]!]);
		model.forget(TOKENS[step.token]!);
	}
}

function wholeGaps(fromBlock: number, gaps: readonly ChainGap[]): number {
	return gaps.find(gap => gap.fromBlock <= fromBlock && gap.toBlock >= fromBlock)?.fromBlock ?? fromBlock;
}

function madeBatch({blocks, events, facts}: Extract<Step, {do: 'append'}>, fromBlock: number): EventBatch {
	const toBlock = fromBlock + blocks - 1;
	const blockAt = (at: number): number => Math.min(toBlock, fromBlock + Math.floor(at * blocks));
	const made = events
		.toSorted((a, b) => a.at - b.at)
		.map(({token, type, at, amount}) => {
			const make = {launch, trade, transfer}[type];
			return type === 'launch'
				? launch(TOKENS[token]!, blockAt(at))
				: make(TOKENS[token]!, blockAt(at), {amountToken: amount});
		});
	const madeFacts = [...new Set(facts)].map(n => ({key: KEYS[n]!, block: toBlock, value: `${toBlock}`}));
	return batch(fromBlock, toBlock, made, madeFacts);
}

function expectSame(journal: Journal, model: Model): void {
	for (const token of TOKENS) {
		const events: MarketEvent[] = [];
		journal.read(entryKey(CHAIN, token), event => events.push(event));
		expect(events).toEqual(model.eventsOf(token));
	}
	const byKey = (a: SourceFact, b: SourceFact): number => a.key.localeCompare(b.key, 'en');
	expect(journal.facts(CHAIN).sort(byKey)).toEqual(model.newestFacts().sort(byKey));
	expect(journal.gaps(CHAIN)).toEqual(model.gaps);
	const cursor = model.cursors.at(-1);
	expect(journal.resume(CHAIN)?.cursor).toBe(cursor?.cursor);
}
