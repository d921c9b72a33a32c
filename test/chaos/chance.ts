/** Numbers that look like chance and are the same for the same seeds. */
export interface Chance {
	/** From 0 to below 1. */
	next(): number;
	/** True for this part of all calls, 0 to 1. */
	strikes(part: number): boolean;
	bytes(count: number): Buffer;
}

/** A chance of its own for every list of seeds, so that what one connection draws does not move what another draws. */
export function createChance(...seeds: readonly number[]): Chance {
	let state = seeds.reduce((mixed, seed) => scramble(mixed ^ seed) + 0x9e3779b9, 0x6a09e667) | 0;
	const next = () => {
		state = (state + 0x6d2b79f5) | 0;
		return (scramble(state) >>> 0) / 4_294_967_296;
	};
	return {
		next,
		strikes: part => next() < part,
		bytes: count => Buffer.from(Array.from({length: count}, () => Math.floor(next() * 256))),
	};
}

function scramble(value: number): number {
	let mixed = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
	mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
	return mixed ^ (mixed >>> 15);
}
