import {PulsetopError} from '../../errors.ts';
import {chainName} from '../../trading/chains.ts';
import {PIN_TAIL} from '../../trading/fingerprint.ts';
import {type NewContract, PIN_ROLES, PinNotConfirmed, type PinRole} from '../../trading/pins.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {askLine, discardTyped, isPersonThere} from './passphrase-prompt.ts';

/** A contract is met for the first time, and nobody accepted it. */
class ContractUnknown extends PulsetopError {
	readonly code = 'contract-unknown';

	constructor(contracts: readonly NewContract[], chainId: string) {
		const words = contracts.map(
			({role, address, code, fingerprint}) =>
				`the ${role} of ${chainName(chainId)}, ${address}, ${code}, fingerprint ${fingerprint}`,
		);
		const flags = contracts.map(({role}) => `--accept ${roleWord(role)}=LAST${PIN_TAIL}`);
		super('A contract is used here for the first time', {
			why: `${words.join('; ')}: compare with what the service publishes, then give ${flags.join(' ')} with the last ${PIN_TAIL} characters of the fingerprint`,
			next: 'fix-input',
			advice: 'If they are not the same, do not go on.',
		});
	}
}

/** A role as the command line writes it: `batch-executor`. */
function roleWord(role: PinRole): string {
	return role.replaceAll(' ', '-');
}

/**
 * What `--accept ROLE=LAST6`, or another flag of its form, gave: the typed characters by role.
 * @throws UsageError
 */
export function acceptedRoles(flags: Flags, flag = 'accept'): ReadonlyMap<PinRole, string> {
	return new Map(
		flags.all(flag).map(given => {
			const [word = '', typed = ''] = given.split('=');
			const role = PIN_ROLES.find(known => roleWord(known) === word);
			if (role !== undefined && typed.length === PIN_TAIL) return [role, typed];
			const roles = PIN_ROLES.map(roleWord).join(', ');
			throw new UsageError(
				`The value of --${flag} can't be used`,
				`Write ROLE=LAST${PIN_TAIL}: a role of ${roles}, and the last ${PIN_TAIL} characters of its fingerprint.`,
			);
		}),
	);
}

/**
 * Has contracts accepted that are met for the first time: by flag, or by the person at the terminal.
 * @param accept remembers one, where the typed characters fit its fingerprint
 * @throws ContractUnknown, PinNotConfirmed, Interrupted
 */
export async function acceptContracts(
	contracts: readonly NewContract[],
	{
		chainId,
		flags,
		isUnattended,
		accept,
	}: {
		readonly chainId: string;
		readonly flags: Flags;
		readonly isUnattended: boolean;
		readonly accept: (role: PinRole, typed: string) => Promise<void>;
	},
): Promise<void> {
	const given = acceptedRoles(flags);
	const open = contracts.filter(({role}) => !given.has(role));
	if (open.length > 0 && (isUnattended || !isPersonThere())) throw new ContractUnknown(open, chainId);
	for (const contract of contracts)
		await accept(contract.role, given.get(contract.role) ?? (await askTail(contract, chainId)));
}

async function askTail({role, address, code, fingerprint, why}: NewContract, chainId: string): Promise<string> {
	const reason = why === undefined ? 'is used here for the first time' : `is asked for: ${why}`;
	process.stderr.write(
		`\nThe ${role} of ${chainName(chainId)} ${reason}:\n  ${address}\n  ${code}\n  fingerprint ${fingerprint}\nThe fingerprint is made here, of the code on your node and the address. Compare it with what others see. It is remembered, and other code is refused from then on.\n`,
	);
	await discardTyped();
	const typed = (await askLine(`Its last ${PIN_TAIL} characters, to accept it: `)).toString('latin1');
	if (typed.trim() === '') throw new PinNotConfirmed();
	return typed;
}
