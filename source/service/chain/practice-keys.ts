import {type Address, keccak256, stringToHex} from 'viem';
import {type PrivateKeyAccount, privateKeyToAccount} from 'viem/accounts';
import {DEVELOPMENT_ACCOUNTS} from '../../development-accounts.ts';

/** Roles of the service on a chain: each has its own account, and so its own sequence of nonces. */
export const ROLES = ['sponsor', 'solver', 'faucet', 'keeper', 'deployer'] as const;

export type Role = (typeof ROLES)[number];

/** The service's accounts on one chain, by role. */
export type RoleAccounts = Readonly<Record<Role, PrivateKeyAccount>>;

/**
 * The service's accounts on practice chains. Their keys follow from a public text, so they protect nothing: they make a
 * practice chain look the same on every machine, and they are refused everywhere else.
 */
export function practiceAccounts(): RoleAccounts {
	made ??= Object.fromEntries(
		ROLES.map(role => [role, privateKeyToAccount(keccak256(stringToHex(`pulsetop practice key: ${role}`)))]),
	) as RoleAccounts;
	return made;
}

let made: RoleAccounts | undefined;

/** Whether the key of an account is public. */
export function isPublicKnowledge(address: Address): boolean {
	const plain = address.toLowerCase();
	return (
		DEVELOPMENT_ACCOUNTS.has(plain) || ROLES.some(role => practiceAccounts()[role].address.toLowerCase() === plain)
	);
}

/** The practice role of an account; undefined for other accounts. */
export function practiceRoleOf(address: Address): Role | undefined {
	return ROLES.find(role => practiceAccounts()[role].address.toLowerCase() === address.toLowerCase());
}
