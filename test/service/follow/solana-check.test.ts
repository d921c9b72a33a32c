import {expect, onTestFinished, test} from 'vitest';
import {checkText} from '../../../source/commands/follow/check-text.ts';
import {checkSolanaNode} from '../../../source/service/follow/solana/check-node.ts';
import {type FakeNode, FakeSolana} from '../../helpers/fake-solana.ts';
import {until} from '../../helpers/until.ts';

async function chain(): Promise<{solana: FakeSolana; node: FakeNode}> {
	const solana = new FakeSolana();
	onTestFinished(() => solana.close());
	return {solana, node: await solana.listen()};
}

test('a good node is said to be good, with what its programs wrote', async () => {
	const {solana, node} = await chain();
	const checking = checkSolanaNode({url: node.url, nowMs: solana.nowMs, sampleMs: 500});
	await until(() => node.followers === 1);
	const token = solana.launch();
	solana.trade(token, 'buy', 1_000_000_000_000n);
	solana.mine();
	const check = await checking;
	expect(check).toMatchObject({verdict: 'good', chain: 'solana', hasAnswered: true, problems: []});
	expect(check.sample?.venues).toContainEqual({
		venue: 'pumpfun',
		name: 'Pump.fun',
		known: 2,
		skipped: 0,
		unknown: 0,
		blocksWithUnknown: 0,
	});
	const text = checkText(check);
	expect(text).toMatch(/price of SOL +yes +200\.00 US dollars/);
	expect(text).not.toContain('secret');
});

test('a node of another chain cannot be used', async () => {
	const {node} = await chain();
	node.genesis = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
	const check = await checkSolanaNode({url: node.url, sampleMs: 100});
	expect(check).toMatchObject({verdict: 'unusable', problems: ["it is not a node of Solana's main network"]});
});

test('a node that sends nothing is said to be poor', async () => {
	const {solana, node} = await chain();
	node.isMute = true;
	const check = await checkSolanaNode({url: node.url, nowMs: solana.nowMs, sampleMs: 100});
	expect(check.verdict).toBe('poor');
	expect(check.problems[0]).toMatch(/sent no logs/);
});

test('an address where nothing listens gives no answer', async () => {
	const {solana, node} = await chain();
	const {url} = node;
	await solana.close();
	solana.nodes.length = 0;
	expect(await checkSolanaNode({url, sampleMs: 100})).toMatchObject({hasAnswered: false, verdict: 'unusable'});
});
