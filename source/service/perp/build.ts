import type {Address} from 'viem';
import {type Dex, type Envelope, PERP_FAILURES, type PerpAction, type PerpExecuteBody} from '../../contract/perp.ts';
import {Refused} from '../http-error.ts';
import {dexAPayloads} from './dex-a-payloads.ts';
import {DexBRefused} from './dex-b.ts';
import {dexBPayloads} from './dex-b-payloads.ts';
import {envelopeOf} from './envelope.ts';
import {type ActionBodies, type BuildDependencies, CannotBuild, type PayloadBuilders} from './payload-builders.ts';
import {WouldRevert} from './user-transaction.ts';

const BUILDERS: Readonly<Record<Dex, PayloadBuilders>> = {dexA: dexAPayloads, dexB: dexBPayloads};

/**
 * Builds the payload of an action for a user (spec 4.7, contract gaps 5.2).
 * @throws Refused with the spec's words and status, and the reason; ChainUnavailable
 */
export async function buildPayload<A extends PerpAction>(
	dependencies: BuildDependencies,
	user: Address,
	action: A,
	body: ActionBodies[A],
): Promise<Envelope> {
	try {
		return envelopeOf(await BUILDERS[dexOf(body)][action](dependencies, user, body));
	} catch (error) {
		if (!(error instanceof CannotBuild || error instanceof DexBRefused || error instanceof WouldRevert)) throw error;
		const {status, message} = PERP_FAILURES[action];
		throw new Refused(status, message, {details: {reason: error.message}, cause: error});
	}
}

/**
 * The exchange of a request. An order lists the exchanges that it may go to (default dexA), every other action names
 * one.
 */
export function dexOf(body: ActionBodies[PerpAction] | PerpExecuteBody): Dex {
	return 'dex' in body ? (body.dex as Dex) : ((body as ActionBodies['create-order']).dexes?.[0] ?? 'dexA');
}
