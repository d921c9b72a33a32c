import {chainTitle, chainWord} from '../../../chains/chain-words.ts';
import {chainName, type Scope, type ScopePart} from '../../../monitor/columns/scope.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import {padEnd} from '../../../text.ts';
import type {MenuItem} from '../../feature.ts';

/** The keys that choose a line of the menu, in its order. The letters that are missing are keys of the menu itself. */
export const SCOPE_KEYS: readonly string[] = [...'123456789bcdefghilmnoprstuvwxyz'];

/** The id of the line that lets everything in. */
export const ALL = 'all';

/** How many tokens of the columns are on a chain, or from a launchpad. */
function countsOf({columns}: Pick<MonitorState, 'columns'>, part: ScopePart): ReadonlyMap<string, number> {
	const keys = new Map<string, Set<string>>();
	for (const {rows} of Object.values(columns)) {
		for (const [key, {entry}] of rows) {
			const id = part === 'chains' ? entry.chain_id : entry.source?.toLowerCase();
			if (id !== undefined && id !== '') keys.set(id, (keys.get(id) ?? new Set()).add(key));
		}
	}
	return new Map([...keys].map(([id, all]) => [id, all.size]));
}

/** The chains and launchpads that can be chosen: the known ones, then new ones of the columns, then `named`. The order is stable. */
export function knownWith(state: MonitorState, named: Scope): Scope {
	const {known} = state;
	const merged = (part: ScopePart): readonly string[] => {
		const counts = countsOf(state, part);
		const seen = [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)!);
		return [...new Set([...known[part], ...seen, ...named[part]])];
	};
	return {chains: merged('chains'), launchpads: merged('launchpads')};
}

/** The tag that rows show and the name of a chain: `SOL   Solana`. */
function chainLabel(id: string): string {
	return padEnd(chainWord(id), 6) + (chainTitle(id) ?? chainName(id));
}

/** The lines of the menu: everything, then each chain or launchpad with the key that chooses it. */
export function scopeItems(part: ScopePart, state: MonitorState): readonly MenuItem[] {
	const chosen = state.scope[part];
	const counts = countsOf(state, part);
	const all = [...new Set([...state.known[part], ...counts.keys(), ...chosen])];
	return [
		{id: ALL, label: `a  all ${part}`, note: '', isCurrent: chosen.length === 0},
		...all.map((id, at) => {
			const count = counts.get(id) ?? 0;
			return {
				id,
				label: `${SCOPE_KEYS[at] ?? ' '}  ${part === 'chains' ? chainLabel(id) : id}`,
				note: count === 0 ? 'none here now' : `${count} token${count === 1 ? '' : 's'} here`,
				isCurrent: chosen.includes(id),
			};
		}),
	];
}
