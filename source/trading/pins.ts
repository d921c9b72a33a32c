import * as z from 'zod';
import {once} from '../contract/schema.ts';
import {evmAddress, hash32} from '../contract/wire-scalars.ts';
import {PulsetopError} from '../errors.ts';
import {laterWords, readState} from '../state-file.ts';
import type {ChainReader} from './chain-reader.ts';
import {failed, passed, type Verdict} from './check.ts';
import {type ContractCode, describeContract, isContract, type NoContract, readContract} from './contract-code.ts';
import {PIN_TAIL} from './fingerprint.ts';
import {isKnown, type KnownContract, PIN_ROLES, type PinRole} from './known-contracts.ts';
import {withFileLock, writePrivateFile} from './private-files.ts';

export interface Pin {
	readonly chainId: string;
	readonly role: PinRole;
	/** In lower case. */
	readonly address: string;
	/** See ContractCode; pins of earlier versions lack the hash. */
	readonly codeHash?: string;
	readonly atMs: number;
}

/** How a contract compares with the pin. */
export type PinVerdict =
	| {readonly kind: 'pinned'; readonly since: number}
	/** Ships with the program: address and code. */
	| {readonly kind: 'known'}
	/** May be accepted. `why`: a reason other than first use. */
	| {readonly kind: 'unknown'; readonly why?: string}
	/** Another contract, or other code at the same address. */
	| {readonly kind: 'changed'; readonly pinned: string; readonly what: 'contract' | 'code'}
	/** Not a contract: can't be accepted. */
	| {readonly kind: 'refused'; readonly why: string};

/** A contract that a person may accept. */
export interface NewContract {
	readonly role: PinRole;
	readonly address: string;
	/** See ContractCode: the last six characters are typed to accept the contract. */
	readonly fingerprint: string;
	/** Description of the code. */
	readonly code: string;
	/** Why acceptance is needed, where the reason is not first use. */
	readonly why?: string;
}

/** A contract of a plan: its role, the code at its address, and how the code compares with the pin. */
export interface PlannedContract {
	readonly role: PinRole;
	readonly found: ContractCode | NoContract;
	readonly verdict: PinVerdict;
}

/** Reads a contract of a plan and compares it with its pin. @throws ChainUnread */
export async function planContract(
	{chains, pins}: {readonly chains: ChainReader; readonly pins: Pins},
	chainId: string,
	role: PinRole,
	address: string,
): Promise<PlannedContract> {
	const found = await readContract(chains, chainId, address);
	return {role, found, verdict: pins.verdict(chainId, role, found)};
}

/** The contracts of a plan that a person may accept, as they are shown. */
export function newContracts(planned: readonly PlannedContract[]): readonly NewContract[] {
	return planned.flatMap(({role, found, verdict}) => {
		if (verdict.kind !== 'unknown' || !isContract(found)) return [];
		const {address, fingerprint} = found;
		const why = verdict.why === undefined ? {} : {why: verdict.why};
		return [{role, address, fingerprint, code: describeContract(found), ...why}];
	});
}

/** The check of a contract against the pin, for all flows. @param what `batch executor` */
export function pinCheck(verdict: PinVerdict, what: string): Verdict {
	switch (verdict.kind) {
		case 'pinned':
			return passed(`the same ${what} as before, code and address`);
		case 'known':
			return passed(`${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what} that ships with this program, code and address`);
		case 'unknown':
			return failed(
				`${verdict.why ?? `this ${what} was never used on this chain`}: accept it by the end of its fingerprint`,
			);
		case 'changed':
			return failed(
				verdict.what === 'code'
					? `the code of ${verdict.pinned} is not the one that was accepted`
					: `another ${what} than before: ${verdict.pinned} was accepted`,
			);
		case 'refused':
			return failed(`it is no ${what}: ${verdict.why}`);
	}
}

/** A contract differs from the accepted one. The only way on is to revoke the old pin on purpose. */
export class PinChanged extends PulsetopError {
	readonly code = 'pin-changed';

	constructor({chainId, role}: Pick<Pin, 'chainId' | 'role'>, pinned: string, given: string) {
		super(`The ${role} of ${chainId} is another contract than before`, {
			why: pinned === given ? `the code of ${pinned} has changed` : `${pinned} was accepted, now it is ${given}`,
			next: 'report',
		});
	}
}

/** The text typed to accept a contract does not fit the contract. */
export class PinNotConfirmed extends PulsetopError {
	readonly code = 'pin-not-confirmed';

	constructor() {
		super('The contract was not accepted', {
			why: `the last ${PIN_TAIL} characters of its fingerprint must be typed`,
			next: 'fix-input',
			advice: 'Compare it with what the service publishes, then type them again.',
		});
	}
}

/** The file of pins is damaged: nothing is signed until the file is repaired. */
class PinsUnreadable extends PulsetopError {
	readonly code = 'pins-unreadable';

	constructor(why: string) {
		super('The file of accepted contracts cannot be read', {
			why,
			next: 'fix-input',
			advice: 'With the file moved away, each contract is asked about once more.',
		});
	}
}

export interface Pins {
	list(): readonly Pin[];
	/** The address at which a contract is expected: that of its pin, else of the one that ships with the program. */
	expected(chainId: string, role: PinRole): string | undefined;
	verdict(chainId: string, role: PinRole, found: ContractCode | NoContract): PinVerdict;
	/** Addresses that were accepted in a role on any chain, or ship with the program; in lower case, each once. */
	addresses(role: PinRole): readonly string[];
	/**
	 * Accepts a contract on first use.
	 * @param found as its chain shows it now
	 * @param typed the last six characters of its fingerprint, as typed
	 * @throws PinNotConfirmed; PinChanged when another one is pinned
	 */
	accept(chainId: string, role: PinRole, found: ContractCode, typed: string): void;
	/** Removes a pin, so that the next use is a first use again. @returns false when there was no pin */
	revoke(chainId: string, role: PinRole): boolean;
}

const fileSchema = once(() =>
	z.object({
		version: z.literal(1),
		pins: z.array(
			z.object({
				chainId: z.string(),
				role: z.enum(PIN_ROLES),
				address: evmAddress(),
				codeHash: hash32().optional(),
				atMs: z.number(),
			}),
		),
	}),
);

/**
 * Pins in a file, shared by all processes; one file for each mode, since practice contracts prove nothing about real ones.
 * @param known contracts that need no acceptance
 */
export function openPins(
	path: string,
	{nowMs = Date.now, known = []}: {nowMs?: () => number; known?: readonly KnownContract[]} = {},
): Pins {
	function read(): readonly Pin[] {
		const found = readState(path);
		if (found.kind === 'missing') return [];
		if (found.kind === 'later') throw new PinsUnreadable(laterWords(path, found.version));
		const file = found.kind === 'read' ? fileSchema().safeParse(found.document) : undefined;
		if (!file?.success) throw new PinsUnreadable(found.kind === 'damaged' ? found.why : 'it was changed by hand');
		return file.data.pins.map(({codeHash, ...pin}) => (codeHash === undefined ? pin : {...pin, codeHash}));
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
		expected(chainId, role) {
			const shipped = known.find(row => row.role === role && (row.chainId ?? chainId) === chainId);
			return (find(read(), chainId, role) ?? shipped)?.address;
		},
		verdict(chainId, role, found) {
			if (!isContract(found)) return {kind: 'refused', why: found.why};
			const pin = find(read(), chainId, role);
			if (!pin) return isKnown(known, chainId, role, found) ? {kind: 'known'} : {kind: 'unknown'};
			if (pin.address !== found.address) return {kind: 'changed', pinned: pin.address, what: 'contract'};
			if (pin.codeHash === undefined)
				return {kind: 'unknown', why: 'it was accepted before its code was remembered, so it is asked for once more'};
			if (pin.codeHash !== found.hash) return {kind: 'changed', pinned: pin.address, what: 'code'};
			return {kind: 'pinned', since: pin.atMs};
		},
		addresses(role) {
			const all = [...read(), ...known].filter(row => row.role === role);
			return [...new Set(all.map(({address}) => address.toLowerCase()))];
		},
		accept(chainId, role, {address, hash, fingerprint}, typed) {
			if (typed.trim().toLowerCase() !== fingerprint.slice(-PIN_TAIL)) throw new PinNotConfirmed();
			change(pins => {
				const pin = find(pins, chainId, role);
				const isOther = pin && (pin.address !== address || (pin.codeHash !== undefined && pin.codeHash !== hash));
				if (isOther) throw new PinChanged({chainId, role}, pin.address, address);
				return [...pins.filter(other => other !== pin), {chainId, role, address, codeHash: hash, atMs: nowMs()}];
			});
		},
		revoke(chainId, role) {
			const wasPinned = find(read(), chainId, role) !== undefined;
			if (wasPinned) change(pins => pins.filter(pin => pin.chainId !== chainId || pin.role !== role));
			return wasPinned;
		},
	};
}
