import type {Config} from '../../config.ts';
import {type ChainReader, ChainUnread, createChainReader} from '../../trading/chain-reader.ts';
import {chainName} from '../../trading/chains.ts';
import type {Finding} from './finding.ts';

const TABLE = 'README, "Money", says in a table what is read by whom.';

/** What of a transfer is read on a node of the user's own, and what would be the service's word. */
export async function moneyFindings({service, rpc}: Config): Promise<readonly Finding[]> {
	if (service.baseUrl === undefined) {
		const words = 'practice: contracts ship with the program; what leaves and arrives is read from the practice chains';
		return [{subject: 'money', state: 'good', words}];
	}
	const ids = Object.keys(rpc);
	if (ids.length === 0) {
		const words =
			'no node is configured: nothing can be signed, and of what was sent there is only the word of the service';
		return [{subject: 'money', state: 'note', words, advice: `Name a node for each chain under [rpc]. ${TABLE}`}];
	}
	const chains = createChainReader({urlOf: chainId => rpc[chainId]});
	return Promise.all(ids.map(chainId => nodeFinding(chains, chainId)));
}

/** Whether a node can show what a transfer needs, and try a batch before it is signed. */
export async function nodeFinding(chains: ChainReader, chainId: string): Promise<Finding> {
	const name = chainName(chainId);
	try {
		await chains.request(chainId, 'eth_blockNumber', []);
	} catch (error) {
		if (!(error instanceof ChainUnread)) throw error;
		const advice = `Nothing is signed on ${name}, and no end there is certain, until it answers.`;
		return {subject: 'money', state: 'bad', words: `your node of ${name} cannot be read: ${error.why}`, advice};
	}
	try {
		await chains.request(chainId, 'eth_simulateV1', [{blockStateCalls: [{calls: []}]}, 'latest']);
	} catch (error) {
		if (!(error instanceof ChainUnread)) throw error;
		const words = `your node of ${name} shows code, receipts and logs, but cannot try a batch before it is signed`;
		return {subject: 'money', state: 'note', words, advice: `A node with eth_simulateV1 can. ${TABLE}`};
	}
	const words = `your node of ${name} shows code, receipts and logs, and tries a batch before it is signed`;
	return {subject: 'money', state: 'good', words};
}
