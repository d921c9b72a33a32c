import {readAddress, readBytes, readHash, readQuantity} from '../../../rpc/evm/quantities.ts';
import {NodeAnswerWrong} from '../../../rpc/node-errors.ts';
import type {LogFilter} from './block-stream.ts';
import type {Log} from './log.ts';
import {LogsContradict} from './stream-failures.ts';
import type {Hex} from './venue.ts';

/** A log with the time that the node says its block has, Unix ms: it may be wrong. */
export interface TimedLog extends Log {
	readonly timeMs: number | null;
}

/** The filter and range that the logs of an answer must fit. */
export interface Expected {
	readonly filter: LogFilter;
	readonly fromBlock: number;
	readonly toBlock: number;
	/** Hashes that are known, by block. */
	readonly hashes: ReadonlyMap<number, Hex>;
}

/**
 * Reads an answer to eth_getLogs: sorted, each log once, those that were not asked for left out, since some nodes ignore topics.
 * @throws NodeAnswerWrong for what is no log or outside the range; LogsContradict
 */
export function readLogs(answer: unknown, expected: Expected): TimedLog[] {
	if (!Array.isArray(answer)) throw wrong('the answer is no list');
	const isWanted = createTest(expected.filter);
	const hashes = new Map<number, Hex>();
	const byPlace = new Map<string, TimedLog>();
	for (const one of answer) {
		const log = readLog(one);
		if (log.blockNumber < expected.fromBlock || log.blockNumber > expected.toBlock) {
			throw wrong(`a log of block ${log.blockNumber}, which was not asked for`);
		}
		const hash = expected.hashes.get(log.blockNumber) ?? hashes.get(log.blockNumber);
		if (hash !== undefined && hash !== log.blockHash) {
			throw new LogsContradict('two-hashes', log.blockNumber);
		}
		hashes.set(log.blockNumber, log.blockHash);
		if (!isWanted(log)) continue;
		const place = `${log.blockNumber}/${log.logIndex}`;
		const same = byPlace.get(place);
		if (same !== undefined && !isSame(same, log)) throw wrong(`two logs at one place in block ${log.blockNumber}`);
		byPlace.set(place, log);
	}
	return sortLogs([...byPlace.values()]);
}

/** In the order of the chain. Sorts in place. */
export function sortLogs<T extends Log>(logs: T[]): T[] {
	return logs.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
}

function readLog(value: unknown): TimedLog {
	const raw = (value ?? {}) as Record<string, unknown>;
	const address = readAddress(raw['address']);
	const topics = readTopics(raw['topics']);
	const data = readBytes(raw['data'] ?? '0x');
	const blockHash = readHash(raw['blockHash']);
	const transactionHash = readHash(raw['transactionHash']);
	const blockNumber = readQuantity(raw['blockNumber']);
	const logIndex = readQuantity(raw['logIndex']);
	if (raw['blockNumber'] === null && raw['blockHash'] === null)
		throw wrong('a log has no block: it is of a pending one');
	if (
		address === undefined ||
		topics === undefined ||
		data === undefined ||
		blockHash === undefined ||
		transactionHash === undefined ||
		blockNumber === undefined ||
		logIndex === undefined
	) {
		throw wrong('a log has a field that cannot be read');
	}
	if (raw['removed'] === true) throw new LogsContradict('removed', blockNumber);
	const timeS = readQuantity(raw['blockTimestamp']);
	const timeMs = timeS === undefined ? null : timeS * 1000;
	return {address, topics, data, blockNumber, blockHash, transactionHash, logIndex, timeMs};
}

function readTopics(value: unknown): Hex[] | undefined {
	if (!Array.isArray(value) || value.length > 4) return undefined;
	const topics = value.map(readHash);
	return topics.every(topic => topic !== undefined) ? topics : undefined;
}

function isSame(a: Log, b: Log): boolean {
	return (
		a.address === b.address &&
		a.data === b.data &&
		a.transactionHash === b.transactionHash &&
		a.topics.join() === b.topics.join()
	);
}

function createTest({addresses, topics, second}: LogFilter): (log: Log) => boolean {
	const wanted = new Set(addresses.map(address => address.toLowerCase()));
	const first = new Set<string | undefined>(topics.map(topic => topic.toLowerCase()));
	const next = second && new Set<string | undefined>(second.map(topic => topic.toLowerCase()));
	return log =>
		(wanted.size === 0 || wanted.has(log.address)) &&
		(first.size === 0 || first.has(log.topics[0])) &&
		(next === undefined || next.has(log.topics[1]));
}

function wrong(why: string): NodeAnswerWrong {
	return new NodeAnswerWrong('eth_getLogs', why);
}
