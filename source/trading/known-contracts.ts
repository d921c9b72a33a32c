import type {ContractCode} from './contract-code.ts';

/** The role of a pinned contract. Each is remembered for each chain, like a host's key. */
export const PIN_ROLES = ['batch executor', 'bridge', 'swap helper', 'perp exchange', 'vault factory'] as const;
export type PinRole = (typeof PIN_ROLES)[number];

/** A contract that ships with the program: it needs no acceptance where address and code are these. */
export interface KnownContract {
	readonly role: PinRole;
	/** Undefined: on every chain. */
	readonly chainId?: string;
	/** In lower case. */
	readonly address: string;
	/** See ContractCode. */
	readonly hash: string;
}

/** The contracts of the practice chains, the same on each; a test compares them with a running chain. */
export const PRACTICE_CONTRACTS: readonly KnownContract[] = [
	{
		role: 'batch executor',
		address: '0x793ba037153c6a73102e8a94adb1ffb9dcd0760f',
		hash: '0xc448f7b1d602ead5d8b8d74eb14dd2c73f33681a97e14f6547ffa6fee9524e9a',
	},
	{
		role: 'bridge',
		address: '0x63a4917b2b148a3396134064e73885aca3aec1fe',
		hash: '0x320087e72e4403cb0786712cee37a4bfea3e77eac80d0b748055883f2c2c5b7e',
	},
	{
		role: 'swap helper',
		address: '0x26abde783b3b7f1017b3bfeb2bcb74e86afced10',
		hash: '0x59865e291ff9e56679ef76068be29e0e4f14543b182e6e759e0c8153fb94a2cd',
	},
	{
		role: 'perp exchange',
		address: '0x61c1b88e431d30d85c3536fe9c09a7b259807fcd',
		hash: '0x8903c28f8084eb97117c7dc772a991413c065722bb10475d3a0cbedc73afddc9',
	},
	{
		role: 'vault factory',
		address: '0x24c5ef343614be6b4e73f5456d1a0a261aaa823a',
		hash: '0xca04b60a87b0103321cf54e39e94e4ab5afc58907472c88e2754850965be364f',
	},
];

/** Where launches of the practice market are traded, the same on each practice chain: only read, never signed for. */
export const PRACTICE_VENUE = '0xd1486368d690f1c973903c43ed8084a17e901590';

/**
 * Contracts of real chains. Empty: no deployment is published to compare with. Each contract is accepted on first use, by
 * its code.
 */
export const REAL_CONTRACTS: readonly KnownContract[] = [];

/** Whether a contract is one of the known ones, with its own code and no other. */
export function isKnown(
	known: readonly KnownContract[],
	chainId: string,
	role: PinRole,
	{address, hash, kind}: ContractCode,
): boolean {
	return (
		kind === 'plain' &&
		known.some(
			row =>
				row.role === role &&
				(row.chainId === undefined || row.chainId === chainId) &&
				row.address === address &&
				row.hash === hash,
		)
	);
}
