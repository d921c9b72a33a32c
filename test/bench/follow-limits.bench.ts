import {createEvmSource} from '../../source/service/follow/evm/evm-source.ts';
import type {Address, Hex} from '../../source/service/follow/evm/venue.ts';
import {TRANSFER} from '../../source/service/follow/evm/venue-reader.ts';
import {builtLog} from '../helpers/built-log.ts';
import {DrivenClock} from '../helpers/driven-clock.ts';
import {startHostileNode} from '../helpers/hostile-node.ts';
import {PlainSink} from '../helpers/plain-sink.ts';
import {PlayedChain, type PlayedLog} from '../helpers/played-chain.ts';

/*
 * How long a chain takes from the start to live at a node that takes few calls a second, and what a token costs. Seconds are those of a
 * clock that goes on when everything waits for it, so that they are the same on each machine; answers take no time.
 */

const MANAGER: Address = '0x5c952063c7fc8610ffdb798152d69f0b9550762b';
const BACKFILL_S = 600;
/** Longest time that is waited for. */
const MAX_S = 1800;

const address = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`;
const word = (n: number): string => n.toString(16).padStart(64, '0');

/** The logs of a launch on four.meme. */
function launch(n: number): readonly PlayedLog[] {
	const token = address(0xfee00000 + n);
	const signature =
		'event TokenCreate(address creator, address token, uint256 requestId, string name, string symbol, uint256 totalSupply, uint256 launchTime, uint256 launchFee)';
	const amount = 10n ** 27n;
	const created = builtLog(
		signature,
		{
			creator: address(n),
			token,
			requestId: BigInt(n),
			name: `T${n}`,
			symbol: `T${n}`,
			totalSupply: amount,
			launchTime: 0n,
			launchFee: 0n,
		},
		{address: MANAGER},
	);
	const minted: PlayedLog = {
		address: token,
		topics: [TRANSFER, `0x${word(0)}`, `0x${MANAGER.slice(2).padStart(64, '0')}`],
		data: `0x${amount.toString(16).padStart(64, '0')}`,
	};
	return [minted, created];
}

/** What Multicall3 answers: the time of the chain, and 18 to all that tokens are asked for. */
function callAnswer(data: string, timeS: number): Hex {
	const digits = data.slice(8 + 2 + 64 * 2);
	const read = (at: number): number => Number(`0x${digits.slice(at, at + 64)}`);
	const count = read(0);
	const answers = Array.from({length: count}, (_, i) => {
		const at = 64 + read(64 + i * 64) * 2;
		const isTime = digits.slice(at + 192, at + 200) === '0f28c97d';
		return word(1) + word(64) + word(32) + word(isTime ? timeS : 18);
	});
	const offsets = answers.map((_, i) => word(count * 32 + i * 128));
	return `0x${word(32)}${word(count)}${offsets.join('')}${answers.join('')}`;
}

interface Run {
	readonly liveS: number | undefined;
	readonly lagS: number;
	readonly calls: number;
	readonly refused: number;
	readonly launches: number;
}

/** Follows a chain with a launch in each so many blocks, from the start until it has been live for a minute. */
async function run(
	perSecond: number | undefined,
	{every, blockTimeS}: {every: number; blockTimeS: number},
): Promise<Run> {
	const chain = new PlayedChain({chainId: 56, blockTimeS});
	const startS = chain.head.timeS + BACKFILL_S;
	const mineTo = (timeS: number): void => {
		while (chain.head.timeS + blockTimeS <= timeS) {
			const {number} = chain.head;
			chain.mine(number % every === 0 ? launch(number) : []);
		}
	};
	mineTo(startS);
	const clock = new DrivenClock(nowMs => mineTo(startS + nowMs / 1000));
	const node = await startHostileNode(chain);
	node.lie(({method, params}) => {
		if (method !== 'eth_call') return undefined;
		return {result: callAnswer((params[0] as {data: string}).data, chain.head.timeS)};
	});
	if (perSecond !== undefined) {
		const by = {refusal: {code: -32005, message: 'project ID request rate exceeded'}};
		node.callLimit = {perSecond, nowMs: () => clock.nowMs(), refuses: 'items', by};
	}
	const followed = {chainId: 'evm:56', name: 'bnb', urls: [node.url], confirmations: 0};
	const nowMs = () => startS * 1000 + clock.nowMs();
	const source = createEvmSource({chain: followed, backfillMs: BACKFILL_S * 1000, log: console.error, nowMs, clock});
	const sink = new PlainSink();
	source.start(sink, new Map());
	const lagS = () => (nowMs() - Date.parse(sink.coverage?.blockTime ?? '1970-01-01')) / 1000;
	await sink.until(({coverage}) => coverage?.state === 'live' || clock.nowMs() > MAX_S * 1000);
	const isLive = sink.coverage?.state === 'live';
	const liveS = isLive ? clock.nowMs() / 1000 : undefined;
	const untilMs = clock.nowMs() + 60_000;
	await sink.until(() => clock.nowMs() > untilMs);
	await source.stop();
	const launches = sink.events.filter(({type}) => type === 'launch').length;
	const result = {liveS, lagS: lagS(), calls: node.asked.length, refused: node.refused, launches};
	await node.close();
	return result;
}

const CHAINS = [
	{name: 'a block in 2 s', blockTimeS: 2},
	{name: 'a block in 1 s', blockTimeS: 1},
];
console.log(
	`${'ten minutes of the past'.padEnd(26)} node takes     live after    then behind   calls   refused   calls a launch`,
);
for (const {name, blockTimeS} of CHAINS) {
	for (const perSecond of [5, 15, 50, undefined]) {
		const few = await run(perSecond, {every: 1e9, blockTimeS});
		const many = await run(perSecond, {every: Math.round(20 / blockTimeS), blockTimeS});
		const seconds = many.liveS === undefined ? 'never' : `${many.liveS.toFixed(0)} s`;
		// Both run for different times: what reading blocks costs a second is taken off.
		const perLaunch = (many.calls - few.calls) / many.launches;
		console.log(
			`${name.padEnd(26)} ${(perSecond === undefined ? 'all' : `${perSecond}/s`).padStart(10)} ${seconds.padStart(14)} ${`${many.lagS.toFixed(1)} s`.padStart(14)} ${String(many.calls).padStart(7)} ${String(many.refused).padStart(9)} ${perLaunch.toFixed(1).padStart(14)}`,
		);
		if (many.liveS === undefined) process.exitCode = 1;
	}
}
