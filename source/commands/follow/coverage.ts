import {findEvmChain} from '../../chains/evm-chains.ts';
import {FOLLOWED_CHAINS} from '../../chains/followed-chains.ts';
import {createEvmNode} from '../../rpc/evm/node-client.ts';
import {readQuantity} from '../../rpc/evm/quantities.ts';
import {
	countUnnamedFactories,
	type FactoryCounts,
	type UnnamedFactory,
} from '../../service/follow/evm/unnamed-factories.ts';
import type {Call} from '../line/command.ts';
import {UsageError} from '../line/usage-error.ts';
import {jsonText, print} from '../output/output.ts';
import {tableText} from '../output/table.ts';
import {nodesOf} from './check.ts';

const BLOCKS = 1000;
/** More would be hours of calls on a public node. */
const MAX_BLOCKS = 20_000;

/**
 * `pulsetop follow coverage URL|CHAIN`: which contracts made pools and tokens in a chain's newest blocks that this version does not follow.
 * @returns 0
 * @throws UsageError that repeats no address; NodeRefused, NodeUnanswered, NodeAnswerWrong
 */
export async function followCoverage(call: Call): Promise<number> {
	const {flags} = call;
	const {urls, chain: named} = await nodesOf(call);
	const expected = named && FOLLOWED_CHAINS[named];
	if (expected && !expected.startsWith('evm:'))
		throw new UsageError(
			`The coverage of ${named} cannot be counted`,
			'Its launchpads are programs, not contracts with events.',
		);
	const blocks = flags.wholeNumber('blocks', {from: 1, to: MAX_BLOCKS}) ?? BLOCKS;
	const node = createEvmNode({urls: urls.slice(0, 1), chain: null});
	try {
		const number = readQuantity(await node.call('eth_chainId', []));
		const chain = number === undefined ? undefined : findEvmChain(number);
		if (expected && expected !== chain?.id)
			throw new UsageError(`The node is not of ${named}`, `It is a node of chain ${number ?? 'unknown'}.`);
		if (!chain) throw new UsageError('The chain of the node cannot be followed', `It is chain ${number ?? 'unknown'}.`);
		const counts = await countUnnamedFactories(node, chain, blocks);
		const {host} = node;
		const found = {host, chain: chain.name, chainNumber: chain.number, ...counts};
		if (flags.has('json')) await print(jsonText({schema: 'pulsetop.follow-coverage/1', ...found}));
		else await print(coverageText(found));
		return 0;
	} finally {
		await node.close();
	}
}

function coverageText({
	host,
	chain,
	fromBlock,
	toBlock,
	pools,
	tokens,
	factories,
}: FactoryCounts & {host: string; chain: string}): string {
	const lines = [
		`${host}: ${chain}, blocks ${fromBlock} to ${toBlock}`,
		`  pools   ${pools.made} made, ${pools.named} by exchanges that are followed`,
		tokens
			? `  tokens  ${tokens.made} made, ${tokens.looked} looked at, ${tokens.named} by launchpads that are followed`
			: '  tokens  unknown: the node gives no receipts',
		'',
	];
	if (factories.length === 0) return [...lines, 'No other contract made any.', ''].join('\n');
	lines.push('Made by contracts that no launchpad or exchange here names:', '', tableText(COLUMNS, factories));
	lines.push(
		'To have one followed, report its line. A share is of all pools, or of all tokens that were looked at.',
		'',
	);
	return lines.join('\n');
}

const COLUMNS = [
	{title: 'makes', cell: ({makes}: UnnamedFactory) => makes},
	{title: 'count', align: 'right', cell: ({count}: UnnamedFactory) => String(count)},
	{title: 'share', align: 'right', cell: ({share}: UnnamedFactory) => `${(share * 100).toFixed(1)} %`},
	{title: 'address', cell: ({address}: UnnamedFactory) => address},
	{title: 'event topic', cell: ({topic}: UnnamedFactory) => topic},
	{title: 'transaction', cell: ({transaction}: UnnamedFactory) => transaction},
] as const;
