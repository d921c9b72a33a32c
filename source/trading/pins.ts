import * as z from 'zod';
import {once} from '../contract/schema.ts';
import {evmAddress} from '../contract/wire-scalars.ts';
import {PulsetopError} from '../errors.ts';
import {readIfPresent, withFileLock, writePrivateFile} from './private-files.ts';

/** What a pinned contract does. Each is remembered for each chain, like a host's key. */
export const PIN_ROLES = ['batch executor', 'bridge', 'swap helper', 'perp exchange', 'vault factory'] as const;
export type PinRole = (typeof PIN_ROLES)[number];

export interface Pin {
	readonly chainId: string;
	readonly role: PinRole;
	/** In lower case. */
	readonly address: string;
	readonly atMs: number;
}

/** How an address compares with the pin. */
export type PinVerdict =
	| {readonly kind: 'pinned'; readonly since: number}
	| {readonly kind: 'unknown'}
	| {readonly kind: 'changed'; readonly pinned: string};

/** A contract is another one than before. There is no way round but to revoke the old pin on purpose. */
export class PinChanged extends PulsetopError {
	readonly code = 'pin-changed';

	constructor({chainId, role}: Pick<Pin, 'chainId' | 'role'>, pinned: string, given: string) {
		super(`The ${role} of ${chainId} is another contract than before`, {
			why: `${pinned} was accepted, now it is ${given}`,
			next: 'report',
		});
	}
}

/** What was typed to accept a contract does not fit its address. */
export class PinNotConfirmed extends PulsetopError {
	readonly code = 'pin-not-confirmed';

	constructor() {
		super('The contract was not accepted', {
			why: `the last ${PIN_TAIL} characters of its address must be typed`,
			next: 'fix-input',
		});
	}
}

/** The file of pins is damaged: nothing is signed until it is looked at. */
export class PinsUnreadable extends PulsetopError {
	readonly code = 'pins-unreadable';

	constructor() {
		super('The file of accepted contracts cannot be read', {why: 'it is damaged', next: 'report'});
	}
}

/** How many characters of an address are typed to accept it. */
export const PIN_TAIL = 6;

export interface Pins {
	list(): readonly Pin[];
	verdict(chainId: string, role: PinRole, address: string): PinVerdict;
	/**
	 * Accepts a contract on first use.
	 * @param typed the last six characters of its address, as typed
	 * @throws PinNotConfirmed; PinChanged when another one is pinned
	 */
	accept(chainId: string, role: PinRole, address: string, typed: string): void;
	/** Forgets a pin, so that the next use is a first use again. False when there was none. */
	revoke(chainId: string, role: PinRole): boolean;
}

const fileSchema = once(() =>
	z.object({
		version: z.literal(1),
		pins: z.array(z.object({chainId: z.string(), role: z.enum(PIN_ROLES), address: evmAddress(), atMs: z.number()})),
	}),
);

/** Pins in a file, shared by all processes; one file for each mode, since practice contracts prove nothing about real ones. */
export function openPins(path: string, {nowMs = Date.now}: {nowMs?: () => number} = {}): Pins {
	function read(): readonly Pin[] {
		const text = readIfPresent(path);
		if (text === undefined) return [];
		try {
			return fileSchema().parse(JSON.parse(text)).pins;
		} catch {
			throw new PinsUnreadable();
		}
	}

	function change(work: (pins: readonly Pin[]) => readonly Pin[]): void {
		withFileLock(path, 'file of accepted contracts', () => {
			writePrivateFile(path, `${JSON.stringify({version: 1, pins: work(read())}, null, '\t')}\n`);
		});
	}

	const find = (pins: readonly Pin[], chainId: string, role: PinRole) =>
		pins.find(pin => pin.chainId === chainId && pin.role === role);

	return {
		list: read,
		verdict(chainId, role, address) {
			const pin = find(read(), chainId, role);
			if (!pin) return {kind: 'unknown'};
			if (pin.address === address.toLowerCase()) return {kind: 'pinned', since: pin.atMs};
			return {kind: 'changed', pinned: pin.address};
		},
		accept(chainId, role, address, typed) {
			const wanted = address.toLowerCase();
			if (typed.trim().toLowerCase() !== wanted.slice(-PIN_TAIL)) throw new PinNotConfirmed();
			change(pins => {
				const pin = find(pins, chainId, role);
				if (pin && pin.address !== wanted) throw new PinChanged({chainId, role}, pin.address, wanted);
				return pin ? pins : [...pins, {chainId, role, address: wanted, atMs: nowMs()}];
			});
		},
		revoke(chainId, role) {
			const wasPinned = find(read(), chainId, role) !== undefined;
			if (wasPinned) change(pins => pins.filter(pin => pin.chainId !== chainId || pin.role !== role));
			return wasPinned;
		},
	};
}
