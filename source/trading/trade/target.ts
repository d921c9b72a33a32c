import {isEvmAddress, isSameAddress} from '../../address.ts';
import {chainName, findChain} from '../../chains/chains.ts';
import {SPONSORED_CHAINS} from '../../contract/bridge-chains.ts';
import type {Entry, SecurityFlags} from '../../contract/entry.ts';
import {taxPercent} from '../../contract/security-flags.ts';
import type {SeenPrices, TradeSide, TradeTarget} from '../../contract/trade-target.ts';

/** Facts of the row beside its entry. */
export interface TargetFacts {
	/** When the entry was current, server time. */
	readonly atMs: number;
	readonly isLive: boolean;
	/** The column of the row; without a column the phase is read from the entry, where the entry has one. */
	readonly phase?: TradeTarget['phase'];
	readonly lookAlike?: 'warn' | 'bad' | undefined;
	/** Besides those of the security flags. */
	readonly marks?: readonly string[];
	readonly seen?: SeenPrices | undefined;
}

/** How old a row may be when it is traded. */
export const ROW_FRESH_MS = 15_000;

/** A frozen copy of a row: the token of the trade, whatever happens to the row. */
export function targetOf(entry: Entry, side: TradeSide, facts: TargetFacts): TradeTarget {
	const {security = {}} = entry;
	const {atMs, isLive, phase = phaseOf(entry), lookAlike, marks = [], seen} = facts;
	return Object.freeze({
		side,
		chainId: entry.chain_id,
		address: entry.address,
		symbol: entry.symbol ?? 'token',
		name: entry.name ?? '',
		phase,
		marks: Object.freeze([...new Set([...marks, ...flagWords(security)])]),
		atMs,
		isLive,
		...known({
			decimals: entry.decimals,
			priceUSD: entry.latest_price,
			liquidityUSD: entry.liquidity,
			isCurve: entry.bonded === undefined ? undefined : !entry.bonded,
			isHoneypot: security.isHoneypot,
			isNotOpenSource: security.isNotOpenSource,
			buyTax: taxPercent(security.buyTax),
			sellTax: taxPercent(security.sellTax),
			lookAlike,
			seen,
			createdAtMs: entry.created_at,
		}),
	});
}

/** Whether two targets are the same trade of the same token. */
export function isSameTarget(a: TradeTarget, b: TradeTarget): boolean {
	return a.side === b.side && a.chainId === b.chainId && isSameAddress(a.address, b.address);
}

/** Further conditions for a trade of a token. */
export interface TradeSituation {
	/** Server time. */
	readonly nowMs: number;
	readonly isReadOnly?: boolean;
	/** A recording is played, or a past moment is shown. */
	readonly isRecording?: boolean;
}

/** Why a token cannot be traded, in one line, at the press of the key; undefined when it can be tried. */
export function whyNotTraded(
	target: TradeTarget,
	{nowMs, isReadOnly = false, isRecording = false}: TradeSituation,
): string | undefined {
	const {side, chainId, address, atMs, isLive, isHoneypot} = target;
	const verb = side === 'buy' ? 'bought' : 'sold';
	if (isReadOnly) return 'Read-only: nothing can be traded';
	if (isRecording) return 'A recording cannot be traded';
	if (!isTradeChain(chainId)) return `Tokens of ${chainName(chainId)} cannot be ${verb}: the bridge trades ${CHAINS}`;
	if (!isEvmAddress(address)) return 'This token has no address that can be traded';
	if (!isLive) return 'The feed is not live: nothing is traded by old figures';
	if (nowMs - atMs > ROW_FRESH_MS) return `This row is ${Math.round((nowMs - atMs) / 1000)} s old, too old to trade`;
	if (side === 'buy' && isHoneypot === true) return 'A honeypot: it could not be sold again, so it is not bought';
	return undefined;
}

/** Whether the gasless bridge trades the tokens of a chain. */
export function isTradeChain(chainId: string): boolean {
	return SPONSORED_CHAINS.some(id => id === chainId);
}

/** Short names: the sentence has to fit 80 columns. */
const CHAINS = SPONSORED_CHAINS.map(id => findChain(id)?.short ?? id).join(', ');

function phaseOf({bonded, bonding_percentage: bonding}: Entry): TradeTarget['phase'] {
	if (bonded === undefined) return undefined;
	if (bonded) return 'bonded';
	return bonding === undefined ? undefined : bonding > 0 ? 'bonding' : 'new';
}

const FLAG_WORDS: readonly (readonly [flag: keyof SecurityFlags, word: string])[] = [
	['isHoneypot', 'honeypot'],
	['transferPausable', 'can be paused'],
	['isBlacklisted', 'has a blacklist'],
	['balanceMutable', 'balances can change'],
	['modifyableTax', 'tax can change'],
	['isMintable', 'can be minted'],
	['selfDestruct', 'can destroy itself'],
	['isNotOpenSource', 'not open source'],
];

function flagWords(security: SecurityFlags): readonly string[] {
	return FLAG_WORDS.filter(([flag]) => security[flag] === true).map(([, word]) => word);
}

/** The known members: not undefined, NaN or infinite. */
function known<Members extends object>(members: Members): {[name in keyof Members]?: NonNullable<Members[name]>} {
	const found = Object.entries(members).filter(
		([, value]) => value !== undefined && (typeof value !== 'number' || Number.isFinite(value)),
	);
	return Object.fromEntries(found) as {[name in keyof Members]?: NonNullable<Members[name]>};
}
