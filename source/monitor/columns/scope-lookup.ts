import type {Client} from '../../client/client.ts';
import type {Scope} from './scope.ts';

/**
 * Reads all chains and launchpads of a service.
 * @throws PulsetopError of the call
 */
export async function fetchScope(client: Pick<Client, 'call'>): Promise<Scope> {
	const [{data}, {POOL_TYPES}] = await Promise.all([
		client.call('systemMetadata', {}),
		import('../../contract/system-metadata.ts'),
	]);
	const isLaunchpad = (name: string): boolean => (POOL_TYPES.launchpad as readonly string[]).includes(name);
	return {
		chains: data.chains.map(({id}) => id),
		launchpads: data.factories.map(({name}) => name?.toLowerCase() ?? '').filter(isLaunchpad),
	};
}
