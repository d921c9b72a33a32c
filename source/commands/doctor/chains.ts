import {ServiceRefused} from '../../client/http/service-errors.ts';
import type {Config} from '../../config/config.ts';
import type {OutputOf} from '../../contract/endpoints.ts';
import {explain} from '../../errors.ts';
import {findAnvil} from '../../service/chain/anvil-binary.ts';
import {findListenAddress, type ListenAddress} from '../../service/chain/listen-address.ts';
import {withClient} from '../with-client.ts';
import type {Finding} from './finding.ts';

/** Whether money can move on the chains of the service: its own here, or those that a configured one serves. */
export async function chainFindings(config: Config | undefined): Promise<readonly Finding[]> {
	if (config?.service.baseUrl === undefined) return practiceFindings(await findListenAddress());
	try {
		const {data} = await withClient(config, client => client.call('devChains', {}));
		return data.flatMap(servedChainFindings);
	} catch (error) {
		// Only the embedded service lists its chains, and whether the service answers at all is looked at elsewhere.
		if (error instanceof ServiceRefused && error.status === 404) return [];
		const {what, why} = explain(error);
		return [{subject: 'chains', state: 'note', words: `the chains of the service are not known. ${what}: ${why}`}];
	}
}

/** What is not right with a chain of a service: it does not run, or its accounts there lack something. */
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
				words: `${name} (${chainId}) is not available: ${reason}`,
				advice: 'Transfers from and to this chain are refused until it is.',
			},
		];
	if (kind !== 'external') return [];
	if (missing.length === 0)
		return [{subject, state: 'good', words: `${name} (${chainId}) has all that a transfer needs`}];
	return missing.map(words => ({
		subject,
		state: 'bad',
		words,
		advice:
			'Transfers that need it are given back or not sent. source/docs/service.md, "Real nodes", says what to send.',
	}));
}

/** @param door where the nodes of practice chains listen on this machine */
export function practiceFindings({kind, host}: ListenAddress): readonly Finding[] {
	const subject = 'chains';
	if (findAnvil().path === undefined)
		return [
			{
				subject,
				state: 'note',
				words: 'practice chains cannot run: anvil is not installed. The feed does not need it',
				advice: 'npm install --include=optional, or put anvil into the PATH.',
			},
		];
	const good: Finding = {subject, state: 'good', words: 'practice chains can run: anvil is installed'};
	if (kind === 'closed') return [good];
	const words = `practice chains listen on a port of ${host} while they run: a web page or another user that guesses it can change test money`;
	return [
		good,
		{subject, state: 'note', words, advice: 'Real money is not concerned: its keys never sign for practice.'},
	];
}
