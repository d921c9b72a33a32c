import {type Address, keccak256, stringToHex} from 'viem';
import {type PrivateKeyAccount, privateKeyToAccount} from 'viem/accounts';

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

/** Accounts whose keys are public because development nodes print them: lower case. */
const WELL_KNOWN: ReadonlySet<string> = new Set([
	'0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
	'0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
	'0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
	'0x90f79bf6eb2c4f870365e785982e1f101e93b906',
	'0x15d34aaf54267db7d7c367839aaf71a00a2c6a65',
	'0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc',
	'0x976ea74026e726554db657fa54763abd0c3a0aa9',
	'0x14dc79964da2c08b23698b3d3cc7ca32193d9955',
	'0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f',
	'0xa0ee7a142d267c1f36714e4a8f75612f20a79720',
]);

/** Whether the key of an account is public. */
export function isPublicKnowledge(address: Address): boolean {
	const plain = address.toLowerCase();
	return WELL_KNOWN.has(plain) || ROLES.some(role => practiceAccounts()[role].address.toLowerCase() === plain);
}

/** The practice role of an account; undefined for other accounts. */
export function practiceRoleOf(address: Address): Role | undefined {
	return ROLES.find(role => practiceAccounts()[role].address.toLowerCase() === address.toLowerCase());
}
