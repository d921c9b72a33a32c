import type {Journal} from '../journal.ts';
import type {VaultAction} from './checks.ts';
import {isUnderWay, type VaultPhase, type VaultState} from './machine.ts';

/** A transaction around an account that was signed, as the journal knows it. */
export interface JournaledVaultAction {
	readonly hash: string;
	readonly action: VaultAction;
	readonly owner: string;
	readonly chainId: string;
	readonly state: VaultState;
	readonly atMs: number;
}

/** Those whose end is not known: the chain says what became of them, nothing is sent again. */
export function openVaultActions(journal: Journal): readonly JournaledVaultAction[] {
	const actions = new Map<string, JournaledVaultAction>();
	for (const {kind, id: hash, data, atMs} of journal.records()) {
		if (kind === 'vault.intended') {
			const {action, owner, chainId, nonce} = data as {
				action: VaultAction;
				owner: string;
				chainId: string;
				nonce: number;
			};
			const state = {phase: 'sent', hash, nonce, said: 'the program ended before its end was seen'} as const;
			actions.set(hash, {hash, action, owner, chainId, state, atMs});
		}
		const known = actions.get(hash);
		if (known && kind === 'vault.status') {
			const {phase} = data as {phase: VaultPhase};
			actions.set(hash, {...known, state: {...known.state, phase}});
		}
	}
	return [...actions.values()].filter(({state}) => isUnderWay(state));
}
