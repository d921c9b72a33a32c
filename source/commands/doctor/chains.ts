import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {ServiceRefused} from '../../client/http/service-errors.ts';
import type {Config} from '../../config/config.ts';
import type {OutputOf} from '../../contract/endpoints.ts';
import {explain} from '../../errors.ts';
import {findAnvil} from '../../service/chain/anvil-binary.ts';
import {findListenAddress, type ListenAddress} from '../../service/chain/listen-address.ts';
import {makeSocketDirectory} from '../../service/chain/socket-directory.ts';
import {followOf, withoutFollowing} from '../service/followed.ts';
import {withClient} from '../service/with-client.ts';
import type {Finding} from './finding.ts';

/** Whether money can move on the chains of the service, embedded or configured. */
export async function chainFindings(config: Config | undefined): Promise<readonly Finding[]> {
	// Beside chains that are followed there are no practice chains.
	if (config?.service.baseUrl === undefined)
		return config && followOf(config) ? [] : practiceFindings(await findListenAddress(), config?.dataDir);
	try {
		const {data} = await withClient(withoutFollowing(config), client => client.call('devChains', {}));
		return data.flatMap(servedChainFindings);
	} catch (error) {
		// Only an embedded service lists its chains; `serviceFindings` reports an unreachable service.
		if (error instanceof ServiceRefused && error.status === 404) return [];
		const {what, why} = explain(error);
		return [{subject: 'chains', state: 'note', text: `the chains of the service are not known. ${what}: ${why}`}];
	}
}

/** Problems of a chain of a service: the chain does not run, or the service's accounts lack coins, tokens or approvals. */
export function servedChainFindings({
	chainId,
	name,
	kind,
	reason,
	missing = [],
}: OutputOf<'devChains'>['data'][number]): readonly Finding[] {
	const subject = 'chains';
	if (reason !== undefined)
		return [
			{
				subject,
				state: 'note',
				text: `${name} (${chainId}) is not available: ${reason}`,
				advice: 'Transfers from and to this chain are refused until it is.',
			},
		];
	if (kind !== 'external') return [];
	if (missing.length === 0)
		return [{subject, state: 'good', text: `${name} (${chainId}) has everything that a transfer needs`}];
	return missing.map(text => ({
		subject,
		state: 'bad',
		text,
		advice:
			'Transfers that need it are given back or not sent. source/docs/service.md, "Real nodes", says what to send.',
	}));
}

/**
 * Whether practice chains can run here, and who can reach them.
 * @param address where their nodes listen on this machine
 */
export function practiceFindings({kind, host}: ListenAddress, dataDir?: string): readonly Finding[] {
	const subject = 'chains';
	if (findAnvil().path === undefined)
		return [
			{
				subject,
				state: 'note',
				text: 'practice chains cannot run: anvil is not installed. The feed does not need it',
				advice: 'npm install --include=optional, or put anvil into the PATH.',
			},
		];
	try {
		rmSync(makeSocketDirectory(dataDir && join(dataDir, 'chains')), {recursive: true});
	} catch (error) {
		const advice = 'Set TMPDIR to a directory that can be written.';
		return [{subject, state: 'bad', text: `practice chains cannot run: ${(error as Error).message}`, advice}];
	}
	const good: Finding = {subject, state: 'good', text: 'practice chains can run: anvil is installed'};
	if (kind === 'closed') return [good];
	const text = `practice chains listen on a port of ${host} while they run: a web page or another user that guesses it can change test money`;
	return [
		good,
		{subject, state: 'note', text, advice: 'Real money is not affected: its keys never sign for practice.'},
	];
}
