import {readLogs} from '../../source/service/follow/solana/invoke-stack.ts';
import type {LogsOfTransaction} from '../../source/service/follow/solana/log-stream.ts';
import {SlotQueue} from '../../source/service/follow/solana/slot-queue.ts';
import {TokenBook} from '../../source/service/follow/solana/token-book.ts';
import {SOLANA_VENUES, VENUE_OF_PROGRAM} from '../../source/service/follow/solana/venues/venues.ts';
import {Engine} from '../../source/service/market/engine.ts';
import {type FakeNode, FakeSolana} from '../helpers/fake-solana.ts';

/*
 * Following Solana, on one core: lines of logs a second, and whole transactions from the text of a websocket message to the
 * figures of the market. The busiest known rate of pump.fun is 30 transactions a second.
 */

const SLOTS = 2000;
const PER_SLOT = 12;

function row(what: string, figure: string, goal = ''): void {
	console.log(`${what.padEnd(64)} ${figure.padStart(18)}  ${goal}`);
}

/** Messages of a history with many tokens and trades, as a node sends them. */
function history(): {readonly messages: readonly string[]; readonly lines: number; readonly solana: FakeSolana} {
	const solana = new FakeSolana();
	const messages: string[] = [];
	let lines = 0;
	const recorder = {
		confirmed: (slot: number, transactions: Parameters<FakeNode['confirmed']>[1]) => {
			for (const {signature, programs, isFailed, lines: logs} of transactions) {
				for (const program of programs) {
					lines += logs.length;
					messages.push(JSON.stringify({program, slot, signature, isFailed, lines: logs}));
				}
			}
		},
	} as FakeNode;
	solana.nodes.push(recorder);
	const tokens = Array.from({length: 50}, () => solana.launch());
	for (let slot = 0; slot < SLOTS; slot++) {
		if (slot % 20 === 0) tokens.push(solana.launch());
		for (let count = 0; count < PER_SLOT; count++) {
			const token = tokens[(slot * 7 + count * 13) % tokens.length]!;
			const side = (slot + count) % 3 === 0 ? 'sell' : 'buy';
			solana.trade(token, side, 2_000_000_000_000n, {isRouted: count % 2 === 0, isFailed: count % 5 === 4});
			if (token.left === 0n && token.pool === undefined) solana.migrate(token);
		}
		solana.mine();
	}
	return {messages, lines, solana};
}

const {messages, lines, solana} = history();
const wanted = new Set(VENUE_OF_PROGRAM.keys());
const notifications = messages.map(message => JSON.parse(message) as LogsOfTransaction);

let best = 0;
for (let round = 0; round < 5; round++) {
	const startedAt = performance.now();
	for (const notification of notifications) readLogs(notification.lines, wanted);
	best = Math.max(best, (lines / (performance.now() - startedAt)) * 1000);
}
row('lines of logs a second, attributed to their programs', Math.round(best).toLocaleString('en'), 'goal 10,000');

for (const round of ['cold', 'warm']) {
	const queue = new SlotQueue(
		SOLANA_VENUES.map(({program}) => program),
		0,
	);
	const book = new TokenBook(() => 200);
	const engine = new Engine(solana.startMs);
	let events = 0;
	let newest = 0;
	const startedAt = performance.now();
	for (const message of messages) {
		const logs = JSON.parse(message) as LogsOfTransaction;
		queue.add(logs, 0);
		if (logs.slot === newest) continue;
		newest = logs.slot;
		for (const {transactions} of queue.takeClosed(0)) {
			for (const transaction of transactions) {
				for (const event of book.read(transaction, solana.nowMs()).events) {
					engine.apply(event);
					events++;
				}
			}
		}
		engine.advance(solana.startMs + (newest - 400_000_000) * 400);
	}
	const seconds = (performance.now() - startedAt) / 1000;
	row(
		`messages a second, parsed, decoded, and in the market (${round})`,
		Math.round(messages.length / seconds).toLocaleString('en'),
		'busiest known: 30',
	);
	row('  lines a second', Math.round(lines / seconds).toLocaleString('en'), 'goal 10,000');
	row('  events of the market', events.toLocaleString('en'));
	row('  part of one core at 300 messages a second', `${((300 * seconds * 100) / messages.length).toFixed(1)} %`);
}
