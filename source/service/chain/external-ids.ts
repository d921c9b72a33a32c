import type {ChainSet} from './chain-set.ts';

/** Numbers of the chains with a real node as an SQL list, for `IN (…)`: of the chains that replicas work on. */
export function externalIds(chains: ChainSet): string {
	const external = chains.infos.filter(({id}) => chains.outline(id).kind === 'external');
	return external.map(({id}) => id).join(', ') || 'NULL';
}
