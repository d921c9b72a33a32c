import type {WalletFunding, WalletLabels} from '../../client/labels.ts';
import type {Explanation} from '../../errors.ts';
import type {Clicked} from './board.ts';

export interface LabelsState {
	/** Every wallet that was asked for, the newest last. */
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

/** One step back: who funded, and what the service says of him. */
export interface PathStep {
	readonly funding: WalletFunding;
	readonly labels?: WalletLabels;
}

export const NO_LABELS: LabelsState = {addresses: [], rejected: [], found: new Map(), scroll: 0};

/** Most wallets on the board: more is not read by anybody, and each hundred is a request. */
export const MAX_WALLETS = 2000;

const EVM = /^0x[0-9a-f]{40}$/i;
const SOLANA = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** The addresses in a text, each once, in order, and the words that are none. Anything but letters and digits separates. */
export function readAddresses(text: string): {
	readonly addresses: readonly string[];
	readonly rejected: readonly string[];
} {
	const addresses = new Map<string, string>();
	const rejected = new Set<string>();
	for (const word of text.split(/[^0-9A-Za-z]+/)) {
		if (word === '') continue;
		if (EVM.test(word)) addresses.set(word.toLowerCase(), addresses.get(word.toLowerCase()) ?? word);
		else if (SOLANA.test(word)) addresses.set(word, word);
		else rejected.add(word);
	}
	return {addresses: [...addresses.values()], rejected: [...rejected]};
}

/** What each kind of label means (spec 2.2, contract gaps 9); a kind that is not here passes as it is. */
export const LABEL_MEANINGS: Readonly<Record<string, string>> = {
	sniper: 'bought in the first blocks after the launch',
	insider: 'got tokens without buying them, or is close to who launched it',
	bundler: 'bought in the launch block, together with others of one funder',
	proTrader: 'trades much, and with tools',
	smartTrader: 'has made money with trades so far',
	freshTrader: 'was first funded less than a day ago',
	freshTrader30d: 'was first funded less than 30 days ago',
	dev: 'launched tokens itself',
	liquidityPool: 'is a pool, not a person',
	locker: 'holds locked tokens or liquidity',
};
