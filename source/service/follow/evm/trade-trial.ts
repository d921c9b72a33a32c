import {taxText} from '../../../contract/security-flags.ts';
import type {NodeCall} from '../../../rpc/evm/node.ts';
import type {Security} from '../../market/events.ts';
import {AbiWords, DecodeFailed} from './event-data.ts';
import {TRADE_TRIAL} from './trade-trial.generated.ts';
import type {Address, Hex} from './venue.ts';

/** A trial of a token, on the state at the end of a block. */
export interface Trial {
	readonly token: Address;
	readonly block: number;
	/** A pair of Uniswap V2 or a fork, of the token and the wrapped native coin; null: it is not traded. */
	readonly pair: Address | null;
	/** Who may be able to mint; null: minting is not tried. */
	readonly owner: Address | null;
}

/** Result of a trial, in raw tokens. */
export interface TrialResult {
	/** Left the pair when it was bought; 0: it could not be bought. */
	readonly wanted: bigint;
	/** Arrived of these. */
	readonly bought: bigint;
	/** Left the wallet when it was sold; 0: it could not be sold. */
	readonly sent: bigint;
	/** Arrived of these in the pair. */
	readonly arrived: bigint;
	/** The owner's call made new tokens. */
	readonly mints: boolean;
}

/** Unused addresses: of a wallet that buys and sells, and of one that helps it. */
const WALLET: Address = '0x7c1a90e3b52d4f68a1d7c05be9328f46d0b3a571';
const HELPER: Address = '0x2e6b14d8f9a7035cc8b1e47d60a92f53be81c7d4';
/** `run(address,address,address,address,address)`. */
const RUN = '738a778a';
const NOBODY: Address = '0x0000000000000000000000000000000000000000';
/** Of all steps together; nodes that allow less cut it. */
const GAS = '0x1312d00';
/** More native coins than a thousandth of any pool. */
const RICH = `0x1${'0'.repeat(24)}`;
/** Of what was bought, in percent, less than this could be sold: a trap. */
const MIN_SOLD_PERCENT = 10n;
/** Precompiles, and addresses that burn. */
const LAST_RESERVED = 0xffffn;

/**
 * The `eth_call` of a trial. It puts code to addresses for this call (a third parameter, which not every node takes); on the chain
 * nothing changes. The wallet is the call's sender, too: tokens see it as one that is no contract in between.
 */
export function trialCall({token, pair, owner, block}: Trial, wrapped: Address): NodeCall {
	const words = [token, pair ?? NOBODY, wrapped, HELPER, owner ?? NOBODY].map(each => each.slice(2).padStart(64, '0'));
	const call = {from: WALLET, to: WALLET, gas: GAS, data: `0x${RUN}${words.join('')}`};
	const overrides = {
		[WALLET]: {code: TRADE_TRIAL, balance: RICH},
		[HELPER]: {code: TRADE_TRIAL},
		...(owner && {[owner]: {code: TRADE_TRIAL}}),
	};
	return {method: 'eth_call', params: [call, `0x${block.toString(16)}`, overrides]};
}

/** Whether code can be put at an owner's address without changing what the trial tries. */
export function canActAs(owner: Address, {token, pair, wrapped}: Record<'token' | 'pair' | 'wrapped', Address | null>) {
	return ![token, pair, wrapped, WALLET, HELPER].includes(owner) && BigInt(owner) > LAST_RESERVED;
}

/** The result in a node's answer; undefined for anything else. */
export function readTrial(answer: unknown): TrialResult | undefined {
	if (typeof answer !== 'string' || !/^0x(?:[0-9a-fA-F]{64}){5}$/.test(answer)) return undefined;
	try {
		const words = new AbiWords(answer.toLowerCase() as Hex, 5);
		const [wanted, bought, sent, arrived] = [words.uint(0), words.uint(1), words.uint(2), words.uint(3)];
		return {wanted, bought, sent, arrived, mints: words.flag(4)};
	} catch (error) {
		if (error instanceof DecodeFailed) return undefined;
		throw error;
	}
}

/**
 * The safety flags that follow from a trial. A token that could be bought and not sold, or that gave less than a tenth of it back, is a
 * honeypot. That nothing was minted, or could be bought, says nothing.
 */
export function trialFlags({wanted, bought, sent, arrived, mints}: TrialResult): Security {
	const flags: Record<string, string | boolean> = mints ? {isMintable: true} : {};
	if (wanted === 0n) return flags;
	flags['isHoneypot'] = sent === 0n || bought * arrived * 100n < MIN_SOLD_PERCENT * wanted * sent;
	const buyTax = taxOf(bought, wanted);
	if (buyTax !== undefined) flags['buyTax'] = buyTax;
	const sellTax = taxOf(arrived, sent);
	if (sellTax !== undefined) flags['sellTax'] = sellTax;
	return flags;
}

/** In percent, to a tenth. */
function taxOf(arrived: bigint, all: bigint): string | undefined {
	if (all === 0n || arrived > all) return undefined;
	return taxText(Math.round(Number(((all - arrived) * 100_000n) / all) / 100) / 10);
}
