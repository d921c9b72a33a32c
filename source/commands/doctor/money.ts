import type {Config} from '../../config/config.ts';
import {type ChainReader, ChainUnread, createChainReader} from '../../trading/chain-reader.ts';
import {chainName} from '../../trading/chains.ts';
import type {Finding} from './finding.ts';

const TABLE = 'source/docs/money.md, "Who verifies what", says in a table what is read by whom.';

/** What cannot be read on any node. */
const BY_SERVICE: Finding = {
	subject: 'money',
	state: 'good',
	words:
		"a cancel through an exchange's own API has nothing to simulate and ends by the service's list of orders; accounts of prediction markets are made in practice only",
};

/** What of the money flows is read on a node of the user's own, and what would be the service's word. */
export async function moneyFindings({service, rpc}: Config): Promise<readonly Finding[]> {
	if (service.baseUrl === undefined) {
		const words =
			'practice: contracts ship with the program; what leaves, arrives and is cancelled on a chain is read from the practice chains';
		return [{subject: 'money', state: 'good', words}];
	}
	const ids = Object.keys(rpc);
	if (ids.length === 0) {
		const words =
			'no node is configured: nothing can be signed, and of what was sent there is only the word of the service';
		return [{subject: 'money', state: 'note', words, advice: `Name a node for each chain under [rpc]. ${TABLE}`}];
	}
	const chains = createChainReader({urlOf: chainId => rpc[chainId]});
	return [...(await Promise.all(ids.map(chainId => nodeFinding(chains, chainId)))), BY_SERVICE];
}

/** Whether a node can show what a money flow needs, and try what is signed before it is. */
export async function nodeFinding(chains: ChainReader, chainId: string): Promise<Finding> {
	const name = chainName(chainId);
	try {
		await chains.request(chainId, 'eth_blockNumber', []);
	} catch (error) {
		if (!(error instanceof ChainUnread)) throw error;
		const advice = `Nothing is signed on ${name}, and no end there is certain, until it answers.`;
		return {subject: 'money', state: 'bad', words: `your node of ${name} cannot be read: ${error.why}`, advice};
	}
	const shows = `your node of ${name} shows code, receipts and logs`;
	const by = await tryingBy(chains, chainId);
	switch (by) {
		case 'eth_simulateV1':
		case 'debug_traceCall':
			return {subject: 'money', state: 'good', words: `${shows}, and tries what you sign before you do (${by})`};
		case 'eth_call': {
			const words = `${shows}; of what you sign it shows only whether it would revert, not what would move`;
			return {subject: 'money', state: 'note', words, advice: `${BETTER} ${TABLE}`};
		}
		case undefined: {
			const words = `${shows}, but cannot try what you sign before you do`;
			return {subject: 'money', state: 'note', words, advice: `${BETTER} ${TABLE}`};
		}
	}
}

const BETTER = 'A node with eth_simulateV1 or debug_traceCall can.';

/** Some account: nothing is sent in its name. */
const SOMEBODY = '0x0000000000000000000000000000000000000001';

/** The method by which a node tries calls of an account; undefined for none. */
async function tryingBy(
	chains: ChainReader,
	chainId: string,
): Promise<'eth_simulateV1' | 'debug_traceCall' | 'eth_call' | undefined> {
	const {runAsBlock} = await import('../../trading/simulate-block.ts');
	const {runTraced, tryAlone} = await import('../../trading/simulate-call.ts');
	const nothing = {from: SOMEBODY, calls: []};
	const can = (made: Promise<unknown>) =>
		made.then(
			() => true,
			() => false,
		);
	if (await can(runAsBlock(chains, chainId, nothing))) return 'eth_simulateV1';
	if (await can(runTraced(chains, chainId, nothing))) return 'debug_traceCall';
	return (await can(tryAlone(chains, chainId, nothing))) ? 'eth_call' : undefined;
}
