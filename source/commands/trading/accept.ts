import {chainName} from '../../chains/chains.ts';
import {PulsetopError} from '../../errors.ts';
import {PIN_TAIL} from '../../trading/fingerprint.ts';
import {PIN_ROLES, type PinRole} from '../../trading/known-contracts.ts';
import {type NewContract, PinNotConfirmed} from '../../trading/pins.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {askText, isPersonThere} from './passphrase-prompt.ts';

/** A contract is used for the first time and not accepted. */
class ContractUnknown extends PulsetopError {
	readonly code = 'contract-unknown';

	constructor(contracts: readonly NewContract[], chainId: string) {
		const described = contracts.map(
			({role, address, code, fingerprint}) =>
				`the ${role} of ${chainName(chainId)}, ${address}, ${code}, fingerprint ${fingerprint}`,
		);
		const flags = contracts.map(({role}) => `--accept ${roleName(role)}=LAST${PIN_TAIL}`);
		super('A contract is used here for the first time', {
			why: `${described.join('; ')}: compare with what the service publishes, then give ${flags.join(' ')} with the last ${PIN_TAIL} characters of the fingerprint`,
			next: 'fix-input',
			advice: 'If they are not the same, do not go on.',
		});
	}
}

/** The name of a role on the command line: `batch-executor`. */
function roleName(role: PinRole): string {
	return role.replaceAll(' ', '-');
}

/**
 * Reads `--accept ROLE=LAST6`, or another flag of this form, into the typed characters by role.
 * @throws UsageError
 */
export function acceptedRoles(flags: Flags, flag = 'accept'): ReadonlyMap<PinRole, string> {
	return new Map(flags.all(flag).map(given => readRole(given, flag)));
}

/** Reads `ROLE=LAST6`. @throws UsageError */
export function readRole(given: string, flag: string): readonly [PinRole, string] {
	const [name = '', typed = ''] = given.split('=');
	const role = PIN_ROLES.find(known => roleName(known) === name);
	if (role !== undefined && typed.length === PIN_TAIL) return [role, typed];
	const roles = PIN_ROLES.map(roleName).join(', ');
	throw new UsageError(
		`The value of --${flag} can't be used`,
		`Write ROLE=LAST${PIN_TAIL}: a role of ${roles}, and the last ${PIN_TAIL} characters of its fingerprint.`,
	);
}

/**
 * Has new contracts accepted, by flag or by the person at the terminal.
 * @param accept pins a contract if the typed characters match its fingerprint
 * @throws ContractUnknown, PinNotConfirmed, Interrupted
 */
export async function acceptContracts(
	contracts: readonly NewContract[],
	{
		chainId,
		given,
		isUnattended,
		accept,
	}: {
		readonly chainId: string;
		/** The values of `--accept`: see acceptedRoles. */
		readonly given: ReadonlyMap<PinRole, string>;
		readonly isUnattended: boolean;
		readonly accept: (role: PinRole, typed: string) => Promise<void>;
	},
): Promise<void> {
	const open = contracts.filter(({role}) => !given.has(role));
	if (open.length > 0 && (isUnattended || !isPersonThere())) throw new ContractUnknown(open, chainId);
	for (const contract of contracts)
		await accept(contract.role, given.get(contract.role) ?? (await askTail(contract, chainId)));
}

async function askTail({role, address, code, fingerprint, why}: NewContract, chainId: string): Promise<string> {
	const reason = why === undefined ? 'is used here for the first time' : `needs your confirmation: ${why}`;
	process.stderr.write(
		`\nThe ${role} of ${chainName(chainId)} ${reason}:\n  ${address}\n  ${code}\n  fingerprint ${fingerprint}\nThe fingerprint is computed here, from the address and the code on your node. Compare it with other sources. Once accepted, other code is refused.\n`,
	);
	const typed = await askText(`Its last ${PIN_TAIL} characters, to accept it: `);
	if (typed.trim() === '') throw new PinNotConfirmed();
	return typed;
}
