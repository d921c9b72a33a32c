import {createHash} from 'node:crypto';
import {decodeBase58, encodeBase58} from './base58.ts';
import {SOL} from './venues/coins.ts';
import {PUMP} from './venues/pump.ts';
import {PUMP_SWAP} from './venues/pump-swap.ts';

const FIELD = 2n ** 255n - 19n;
/** -121665 / 121666 of the field: the constant of the curve Ed25519. */
const CURVE_D = modulo(-121665n * power(121666n, FIELD - 2n));
const MARK = new TextEncoder().encode('ProgramDerivedAddress');

/** The account of the curve that sells a coin of pump.fun. */
export function pumpCurveAddress(mint: string): string {
	return programAddress([utf8('bonding-curve'), keyBytes(mint)], PUMP.program);
}

/** The pool of PumpSwap that a coin of pump.fun moves to. */
export function pumpPoolAddress(mint: string, quote = SOL.address): string {
	const authority = programAddress([utf8('pool-authority'), keyBytes(mint)], PUMP.program);
	const index = new Uint8Array(2);
	return programAddress([utf8('pool'), index, keyBytes(authority), keyBytes(mint), keyBytes(quote)], PUMP_SWAP.program);
}

/**
 * An address that only a program can sign for: the hash of seeds and a number, the highest that gives no point of Ed25519.
 * @throws RangeError when no number does, which no seeds in use have
 */
function programAddress(seeds: readonly Uint8Array[], program: string): string {
	for (let bump = 255; bump >= 0; bump--) {
		const hash = createHash('sha256');
		for (const seed of seeds) hash.update(seed);
		const bytes = hash.update(Uint8Array.of(bump)).update(keyBytes(program)).update(MARK).digest();
		if (!isOnCurve(bytes)) return encodeBase58(bytes);
	}
	throw new RangeError('no program address for these seeds');
}

/** Whether 32 bytes are a point of Ed25519, so that a key may exist for them. */
export function isOnCurve(bytes: Uint8Array): boolean {
	let y = 0n;
	for (let at = 31; at >= 0; at--) y = (y << 8n) | BigInt(at === 31 ? bytes[at]! & 0x7f : bytes[at]!);
	const ySquared = modulo(y * y);
	const xSquared = modulo((ySquared - 1n) * power(modulo(CURVE_D * ySquared + 1n), FIELD - 2n));
	return xSquared === 0n ? bytes[31]! < 128 : power(xSquared, (FIELD - 1n) / 2n) === 1n;
}

function modulo(value: bigint): bigint {
	const rest = value % FIELD;
	return rest < 0n ? rest + FIELD : rest;
}

function power(base: bigint, exponent: bigint): bigint {
	let result = 1n;
	for (; exponent > 0n; exponent >>= 1n) {
		if (exponent & 1n) result = modulo(result * base);
		base = modulo(base * base);
	}
	return result;
}

function utf8(text: string): Uint8Array {
	return new TextEncoder().encode(text);
}

function keyBytes(address: string): Uint8Array {
	const bytes = decodeBase58(address);
	if (bytes?.length !== 32) throw new RangeError('an address of Solana has 32 bytes');
	return bytes;
}
