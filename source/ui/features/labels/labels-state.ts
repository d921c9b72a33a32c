import {isEvmAddress, isSolanaAddress} from '../../../address.ts';
import type {WalletFunding, WalletLabels} from '../../../client/lookups/labels.ts';
import type {Explanation} from '../../../errors.ts';
import type {Clicked} from '../../screens/list-lines.ts';

export interface LabelsState {
	/** Every wallet that was entered, the newest last. */
	readonly addresses: readonly string[];
	/** Words of the last paste that are no addresses. */
	readonly rejected: readonly string[];
	readonly found: ReadonlyMap<string, WalletLabels>;
	/** How many of the last look-up are still to come; undefined when none is under way. */
	readonly waiting?: number;
	readonly problem?: Explanation;
	/** The labels are relative to this token. */
	readonly token?: {readonly address: string; readonly symbol: string};
	readonly cursor?: string;
	readonly clicked?: Clicked;
	/** The wallet whose details are open, with the way its first money took, newest first. */
	readonly open?: {readonly address: string; readonly path: readonly PathStep[]; readonly isLooking: boolean};
	readonly scroll: number;
}

/** One step back: the funder, and its labels. */
export interface PathStep {
	readonly funding: WalletFunding;
	readonly labels?: WalletLabels;
}

export const NO_LABELS: LabelsState = {addresses: [], rejected: [], found: new Map(), scroll: 0};

/** Most wallets on the screen: each hundred is a request. */
export const MAX_WALLETS = 2000;

/** The addresses in a text, each once, in order, and the words that are not addresses. Anything but letters and digits separates. */
export function readAddresses(text: string): {
	readonly addresses: readonly string[];
	readonly rejected: readonly string[];
} {
	const addresses = new Map<string, string>();
	const rejected = new Set<string>();
	for (const word of text.split(/[^0-9A-Za-z]+/)) {
		if (word === '') continue;
		if (isEvmAddress(word)) addresses.set(word.toLowerCase(), addresses.get(word.toLowerCase()) ?? word);
		else if (isSolanaAddress(word)) addresses.set(word, word);
		else rejected.add(word);
	}
	return {addresses: [...addresses.values()], rejected: [...rejected]};
}

/** Meanings of the kinds of labels (spec 2.2, contract gaps 9); a kind that is not here passes as it is. */
export const LABEL_MEANINGS: Readonly<Record<string, string>> = {
	sniper: 'bought in the first blocks after the launch',
	insider: 'received tokens without buying, or is linked to the developer',
	bundler: 'bought in the launch block, with others funded by the same wallet',
	proTrader: 'trades a lot, with trading tools',
	smartTrader: 'in profit on past trades',
	freshTrader: 'first funded less than a day ago',
	freshTrader30d: 'first funded less than 30 days ago',
	dev: 'has launched tokens',
	liquidityPool: 'a pool, not a person',
	locker: 'holds locked tokens or liquidity',
};
