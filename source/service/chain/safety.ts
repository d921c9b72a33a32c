import type {Address} from 'viem';
import {PulsetopError} from '../../errors.ts';
import type {ChainDriver} from './driver.ts';
import {isPublicKnowledge, practiceRoleOf} from './practice-keys.ts';

/** A practice account was about to act on a real chain, or the reverse. */
class WrongWorld extends PulsetopError {
	readonly code = 'wrong-world';

	constructor(what: string, why: string) {
		super(what, {why, next: 'fix-input'});
	}
}

/**
 * The wall between practice and real chains. The chain ids are the same in both worlds, so a signature for one world is valid in
 * the other: on practice chains only the practice accounts act, and on real chains no account whose key is public.
 * @throws WrongWorld
 */
export function assertMayAct(kind: ChainDriver['kind'], address: Address): void {
	if (kind === 'embedded' && practiceRoleOf(address) === undefined) {
		throw new WrongWorld(
			'A real key was given for a practice chain',
			`${address} is no practice account, and what it signs here is valid on the real chain too`,
		);
	}
	if (kind === 'external' && isPublicKnowledge(address)) {
		throw new WrongWorld(
			'A practice key was given for a real chain',
			`the key of ${address} is public: whatever it receives can be taken`,
		);
	}
}
