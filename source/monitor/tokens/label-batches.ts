import {MAX_LABELLED_WALLETS} from '../../contract/labels.ts';

/** Wallets in the groups in which a service takes them (spec 4.10). */
export function labelBatches(addresses: readonly string[]): readonly (readonly string[])[] {
	const count = Math.ceil(addresses.length / MAX_LABELLED_WALLETS);
	return Array.from({length: count}, (_, at) =>
		addresses.slice(at * MAX_LABELLED_WALLETS, (at + 1) * MAX_LABELLED_WALLETS),
	);
}
