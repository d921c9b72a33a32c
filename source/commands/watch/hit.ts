import {chainWord} from '../../chains/chain-words.ts';
import type {Entry} from '../../contract/entry.ts';
import type {Alert, AlertRule} from '../../monitor/alerts/alert-rules.ts';
import {clock, usd} from '../../ui/format.ts';

/** A token that begins to match a rule. */
export interface Hit {
	readonly alert: Alert;
	/** The token at that time. */
	readonly token: Entry;
	/** The service's time, Unix ms. */
	readonly atMs: number;
}

/** Rules that are watched, on a service or a recording. */
export interface Watch {
	readonly rules: readonly AlertRule[];
	/** Resolves when the watch must end. */
	readonly ending: Promise<void>;
	/** Prints everything that is not a hit. */
	readonly say: (text: string) => void;
	/** Receives new hits, oldest first. @returns whether to go on */
	readonly onHits: (hits: readonly Hit[]) => 'more' | 'enough';
}

/** A hit as one line of text. */
export function hitText({alert, token, atMs}: Hit): string {
	const {view, symbol, address, rule} = alert;
	return `${clock(atMs)}  ${view.padEnd(7)}  ${symbol}  ${chainWord(token.chain_id)}  ${address}  mcap ${usd(token.market_cap)}  matches ${rule}`;
}

/** A hit as one line of JSON. @param buy the command that reviews a buy of the token, for one that can be bought */
export function hitJson({alert: {view, rule}, token, atMs}: Hit, buy?: string): string {
	return JSON.stringify({atMs, view, rule, token, ...(buy !== undefined && {buy})});
}
