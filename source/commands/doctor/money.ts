import {chainName} from '../../chains/chains.ts';
import type {Config} from '../../config/config.ts';
import {explain} from '../../errors.ts';
import {type ChainReader, ChainUnread, createChainReader} from '../../trading/chain-reader.ts';
import type {WalletMode} from '../../trading/practice.ts';
import {PracticeUnproven} from '../serve/practice-service.ts';
import {MoneyMissing} from '../service/followed.ts';
import {moneyModeOf} from '../service/money-mode.ts';
import type {Finding} from './finding.ts';

const TABLE = 'The table "Who verifies what" in source/docs/money.md lists who reads what.';

/** Facts that no node can show. */
const BY_SERVICE: Finding = {
	subject: 'money',
	state: 'good',
	text: "a cancel through an exchange's own API has nothing to simulate and ends by the service's list of orders; accounts of prediction markets are made in practice only",
};

/** The parts of a money flow that the user's own nodes verify, and those that rest on the word of the service. */
export async function moneyFindings(config: Config): Promise<readonly Finding[]> {
	const {rpc} = config;
	const mode = await moneyModeOf(config).catch((error: unknown) => error);
	if (mode instanceof PracticeUnproven)
		return [{subject: 'money', state: 'bad', text: `${mode.message}: ${mode.why}`, advice: mode.advice}];
	if (mode instanceof MoneyMissing)
		return [{subject: 'money', state: 'note', text: `no money moves: ${mode.why}`, advice: mode.advice}];
	const own = await fileFindings(config, mode === 'practice' ? 'practice' : 'real');
	if (mode === 'practice') {
		const text =
			'practice: contracts ship with the program; what leaves, arrives and is cancelled on a chain is read from the practice chains';
		return [...own, {subject: 'money', state: 'good', text}];
	}
	const ids = Object.keys(rpc);
	if (ids.length === 0) {
		const text = 'no node is configured: nothing can be signed, and only the service reports what was sent';
		return [
			...own,
			{subject: 'money', state: 'note', text, advice: `Name a node for each chain under [rpc]. ${TABLE}`},
		];
	}
	const chains = createChainReader({urlOf: chainId => rpc[chainId]});
	return [...own, ...(await Promise.all(ids.map(chainId => nodeFinding(chains, chainId)))), BY_SERVICE];
}

/** The wallet's own files: the journal and the limits; and when the wallet locks itself. */
async function fileFindings({dataDir, wallet}: Config, mode: WalletMode): Promise<readonly Finding[]> {
	const {openTradingFiles} = await import('../../trading/open-trading.ts');
	const {journal, caps} = openTradingFiles({dataDir, mode});
	const lock: Finding = {
		subject: 'money',
		state: 'good',
		text: `the wallet locks itself after ${wallet.autoLock} without a key or a signature ([wallet] auto-lock)`,
	};
	try {
		journal.records();
		const isLowest = caps.known().some(({chainId, token}) => caps.limitOf(chainId, token).isLowest);
		if (!isLowest) return [lock];
		const text = 'the file of limits is missing or was changed: the lowest limits hold';
		return [
			lock,
			{subject: 'money', state: 'bad', text, advice: 'pulsetop wallet limits shows them, and sets them again.'},
		];
	} catch (error) {
		const {what, why, advice} = explain(error);
		return [lock, {subject: 'money', state: 'bad', text: `${what}: ${why}`, advice}];
	}
}

/** Whether a node answers the calls of a money flow and can simulate a transaction before the signature. */
export async function nodeFinding(chains: ChainReader, chainId: string): Promise<Finding> {
	const name = chainName(chainId);
	try {
		await chains.request(chainId, 'eth_blockNumber', []);
	} catch (error) {
		if (!(error instanceof ChainUnread)) throw error;
		const advice = `Nothing is signed on ${name}, and no result there is certain, until the node responds.`;
		return {subject: 'money', state: 'bad', text: `your node of ${name} cannot be read: ${error.why}`, advice};
	}
	const shows = `your node of ${name} shows code, receipts and logs`;
	const by = await simulationMethod(chains, chainId);
	switch (by) {
		case 'eth_simulateV1':
		case 'debug_traceCall':
			return {subject: 'money', state: 'good', text: `${shows}, and simulates what you sign before you do (${by})`};
		case 'eth_call': {
			const text = `${shows}; of what you sign it shows only whether it would revert, not what would move`;
			return {subject: 'money', state: 'note', text, advice: `${BETTER} ${TABLE}`};
		}
		case undefined: {
			const text = `${shows}, but cannot simulate what you sign before you do`;
			return {subject: 'money', state: 'note', text, advice: `${BETTER} ${TABLE}`};
		}
	}
}

const BETTER = 'A node with eth_simulateV1 or debug_traceCall can.';

/** Any account: nothing is sent. */
const ANY_ACCOUNT = '0x0000000000000000000000000000000000000001';

/** The best method of a node to simulate calls; undefined without one. */
async function simulationMethod(
	chains: ChainReader,
	chainId: string,
): Promise<'eth_simulateV1' | 'debug_traceCall' | 'eth_call' | undefined> {
	const {runAsBlock} = await import('../../trading/simulate-block.ts');
	const {runTraced, tryAlone} = await import('../../trading/simulate-call.ts');
	const nothing = {from: ANY_ACCOUNT, calls: []};
	const works = (simulation: Promise<unknown>) =>
		simulation.then(
			() => true,
			() => false,
		);
	if (await works(runAsBlock(chains, chainId, nothing))) return 'eth_simulateV1';
	if (await works(runTraced(chains, chainId, nothing))) return 'debug_traceCall';
	return (await works(tryAlone(chains, chainId, nothing))) ? 'eth_call' : undefined;
}
