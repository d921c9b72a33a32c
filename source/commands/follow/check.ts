import {text as readAll} from 'node:stream/consumers';
import type {FollowedChainName} from '../../chains/chains.ts';
import {FOLLOWED_CHAINS, followedChainName} from '../../chains/followed-chains.ts';
import {checkNode} from '../../service/follow/evm/check-node.ts';
import type {NodeCheck} from '../../service/follow/node-check.ts';
import {checkSolanaNode} from '../../service/follow/solana/check-node.ts';
import {clean} from '../../text.ts';
import type {Call} from '../line/command.ts';
import {oneOperand} from '../line/operands.ts';
import {UsageError} from '../line/usage-error.ts';
import {jsonText, print} from '../output/output.ts';
import {checkText} from './check-text.ts';

/** More would be a load test. */
const MAX_NODES = 8;

/**
 * `pulsetop follow check URL|CHAIN`: asks nodes what following their chain needs, and prints what they answered.
 * @returns 0 when each can be used, 69 when one does not answer, 1 when one cannot be used
 * @throws UsageError that repeats no address
 */
export async function followCheck({flags, operands, readConfig}: Call): Promise<number> {
	const {urls, chain} = await nodesOf({flags, operands, readConfig});
	const id = chain && FOLLOWED_CHAINS[chain];
	const expected = id?.startsWith('evm:') ? Number(id.slice(4)) : undefined;
	const isSolana = id?.startsWith('solana:') ?? false;
	const checks: NodeCheck[] = [];
	for (const url of urls) {
		const check = isSolana ? await checkSolanaNode({url}) : await checkNode({url, expected});
		checks.push(check);
		if (!flags.has('json')) await print(checkText(check));
	}
	if (flags.has('json')) await print(jsonText({schema: 'pulsetop.follow-check/1', nodes: checks}));
	if (checks.some(({hasAnswered}) => !hasAnswered)) return 69;
	return checks.some(({verdict}) => verdict === 'unusable') ? 1 : 0;
}

/** The addresses that the operand names, and the chain that they should be of. @throws UsageError that repeats no address */
export async function nodesOf({flags, operands, readConfig}: Pick<Call, 'flags' | 'operands' | 'readConfig'>): Promise<{
	urls: readonly string[];
	chain: FollowedChainName | undefined;
}> {
	const operand = oneOperand(operands, 'URL or CHAIN');
	const asked = flags.text('chain');
	const chain = asked === undefined ? undefined : followedChainName(asked);
	const named = followedChainName(operand);
	if (named !== undefined) return {urls: await configuredNodes(named, readConfig), chain: chain ?? named};
	const texts =
		operand === '-' ? (await readAll(process.stdin)).split(/[\s,]+/).filter(text => text !== '') : [operand];
	if (texts.length === 0) throw new UsageError('No address is given', 'stdin is empty.');
	if (texts.length > MAX_NODES)
		throw new UsageError('There are too many addresses', `${texts.length} were given, ${MAX_NODES} is the most.`);
	if (!texts.every(isNodeUrl)) throw new UsageError('The address cannot be used', notUsable(operand));
	// For the certificates that it names: nothing else of it counts here.
	await readConfig();
	return {urls: texts, chain};
}

async function configuredNodes(name: FollowedChainName, readConfig: Call['readConfig']): Promise<readonly string[]> {
	const {follow} = await readConfig();
	const nodes = follow[name];
	if (nodes) return nodes.urls;
	throw new UsageError(
		`No node is configured for ${name}`,
		`Write its address after the command, or into the configuration: [follow.${name}] url = "…".`,
	);
}

/** Repeats the typed text only where it can't be an address with a key in it. */
function notUsable(operand: string): string {
	const form = 'It must begin with https://, wss://, http:// or ws://, or be the name of a chain.';
	return /^[\w-]{1,20}$/.test(operand) ? `"${clean(operand)}" is neither an address nor a chain. ${form}` : form;
}

function isNodeUrl(text: string): boolean {
	const {protocol = '', hostname = ''} = URL.parse(text) ?? {};
	return ['http:', 'https:', 'ws:', 'wss:'].includes(protocol) && hostname !== '';
}
