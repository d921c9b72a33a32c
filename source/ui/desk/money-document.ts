import {join} from 'node:path';
import {type UnsignedPlan, unsignedPlanOf} from '../../trading/bridge/plan.ts';
import {transactionOf} from '../../trading/prediction/checks.ts';
import {writePrivateFile} from '../../trading/private-files.ts';
import type {MoneyKind} from './desk.ts';
import type {BridgeDesk, DeskState, PerpDesk, VaultDesk} from './desk-state.ts';
import {jsonText} from './money-rows.ts';

/** What a transfer signs and sends, without a signature; undefined before there is a quote. */
export function bridgeDocument({view}: Pick<BridgeDesk, 'view'>): UnsignedPlan | undefined {
	return view?.plan && unsignedPlanOf(view.plan);
}

/** What a cancel signs and sends, without a signature. */
export function perpDocument({view}: Pick<PerpDesk, 'view'>): object | undefined {
	return view?.plan && {envelope: view.plan.envelope, transaction: view.plan.evm?.tx};
}

/** What an action of the smart account signs and sends, without a signature. */
export function vaultDocument({view}: Pick<VaultDesk, 'view'>): object | undefined {
	const plan = view?.plan;
	if (!plan) return undefined;
	const {signed: _, ...unsigned} = plan;
	const {gas, fees, facts, proposal, place} = unsigned;
	return {
		...('domain' in proposal && {typedData: proposal}),
		transaction: {
			...(transactionOf(unsigned) ?? {
				to: place.factory,
				calldata: 'made from the signature, then checked again',
			}),
			value: '0',
			nonce: facts.nonce,
			gas,
			...fees,
		},
	};
}

/** What the open window would sign and send; undefined where it does not stand at a review. */
export function documentOf(kind: MoneyKind, {bridge, perp, vault}: DeskState): object | undefined {
	if (kind === 'bridge') return bridge?.step === 'review' ? bridgeDocument(bridge) : undefined;
	if (kind === 'perp') return perp?.step === 'review' ? perpDocument(perp) : undefined;
	return vault?.step === 'review' ? vaultDocument(vault) : undefined;
}

/**
 * Writes an unsigned document where only its owner can read it (0600), as the JSON that the raw view shows.
 * @param directory is made, closed to others, if it is not there
 * @returns the path of the file
 */
export function writeDocument(directory: string, kind: MoneyKind, document: object, nowMs: number): string {
	const time = new Date(nowMs).toISOString().replace(/[-:.]/g, '');
	const path = join(directory, `${kind === 'vault' ? 'account' : kind}-unsigned-${time}.json`);
	writePrivateFile(path, `${jsonText(document)}\n`);
	return path;
}
