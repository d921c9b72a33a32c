import {hexToBytes, keccak256} from 'viem/utils';
import {keptByText} from '../../../kept-by-text.ts';
import type {LogFilter} from './block-stream.ts';
import type {Hex} from './venue.ts';

const BITS = 2048;
/** A bloom that would match by chance more often than this says nothing. */
const MAX_CHANCE = 0.1;
const MAX_KNOWN = 20_000;

/** The three bits of an address or topic, as places from the left of the bloom. */
const bitsOf = keptByText((value): readonly number[] => {
	const hash = hexToBytes(keccak256(hexToBytes(value as Hex)));
	return [0, 2, 4].map(at => BITS - 1 - (((hash[at]! << 8) | hash[at + 1]!) & (BITS - 1)));
}, MAX_KNOWN);

/**
 * Whether the bloom of a block says that the block has a log of the filter. False is certain; undefined is no statement: the bloom
 * is so full that a hit may be chance, or has no bit at all, as on chains that never fill blooms.
 */
export function bloomSays(bloom: Hex, {addresses, topics, second, parts}: LogFilter): boolean | undefined {
	const bytes = hexToBytes(bloom);
	const fill = bytes.reduce((sum, byte) => sum + bitCount(byte), 0) / BITS;
	if (fill === 0) return undefined;
	const has = (value: Hex) => bitsOf(value).every(bit => (bytes[bit >> 3]! & (0x80 >> (bit & 7))) !== 0);
	const hasAnyOf = (values: readonly Hex[]) => values.length === 0 || values.some(has);
	const chance = fill ** 3;
	const oneOf = (count: number) => (count === 0 ? 1 : 1 - (1 - chance) ** count);
	const asked = parts && new Set(addresses.map(address => address.toLowerCase() as Hex));
	const further = second ?? [];
	let byChance = 0;
	let isPromised = false;
	for (const part of parts ?? [{addresses, topics}]) {
		const inPart = asked ? part.addresses.filter(address => asked.has(address.toLowerCase() as Hex)) : addresses;
		if (!hasAnyOf(part.topics) || !hasAnyOf(further) || !inPart.some(has)) continue;
		isPromised = true;
		// The address may be there with another log, or the topics with other addresses: the rest is chance then.
		const hasTopics = part.topics.length + further.length > 0;
		const topicsByChance = hasTopics ? oneOf(part.topics.length) * oneOf(further.length) : 0;
		byChance += Math.max(topicsByChance, oneOf(inPart.length));
	}
	if (isPromised && byChance > MAX_CHANCE) return undefined;
	return isPromised;
}

function bitCount(byte: number): number {
	let count = 0;
	for (let rest = byte; rest > 0; rest &= rest - 1) count++;
	return count;
}
