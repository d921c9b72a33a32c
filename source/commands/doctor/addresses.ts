import type {ClientOptions} from '../../client/client.ts';
import {createFeedClient} from '../../client/feed/feed-client.ts';
import {ServiceRefused} from '../../client/http/service-errors.ts';
import type {Config} from '../../config/config.ts';
import {explain} from '../../errors.ts';
import {followOf} from '../followed.ts';
import {hostedOptions} from '../open-service.ts';
import type {Finding} from './finding.ts';

/** What one address answers. */
type Answer =
	/** `epoch` of the market log that it reads; undefined where it says no position. */
	{readonly ms: number; readonly epoch: string | undefined} | {readonly problem: Omit<Finding, 'subject'>};

const EPOCH = /^([\da-z]{1,32})\.\d{1,15}$/;

/** Whether each of several addresses serves, and whether all are of one service; nothing for a service with one address. */
export async function addressFindings(config: Config): Promise<readonly Finding[]> {
	const bases = [config.service.baseUrl ?? []].flat();
	if (followOf(config) !== undefined || bases.length < 2) return [];
	const options = await hostedOptions(config);
	const answers = await Promise.all(bases.map(baseUrl => ask({...options, baseUrl, streamUrl: null})));
	const findings = answers.map((answer, at): Finding => {
		const name = `address ${at + 1} of ${bases.length}`;
		if ('problem' in answer) return {subject: 'service', ...answer.problem, text: `${name} ${answer.problem.text}`};
		return {subject: 'service', state: 'good', text: `${name} answers in ${answer.ms} ms`};
	});
	return [...findings, ...samenessFindings(answers)];
}

/** A full view of one row: what a replica that is not ready refuses, and whose answer says the position. */
async function ask(options: ClientOptions): Promise<Answer> {
	const client = createFeedClient(options);
	const body = {assetMode: true, views: [{name: 'new', model: 'new', limit: 1}]};
	const startedMs = performance.now();
	try {
		const {headers} = await client.http.json({method: 'POST', path: '/api/2/pulse', body, retry: 'read', attempts: 1});
		const at = headers['pulsetop-at'];
		const epoch = typeof at === 'string' ? EPOCH.exec(at)?.[1] : undefined;
		return {ms: Math.round(performance.now() - startedMs), epoch};
	} catch (error) {
		if (error instanceof ServiceRefused && error.status === 503) {
			const said = error.said === '' ? '' : `: ${error.said}`;
			const advice = 'The others serve meanwhile. A replica that starts is ready once it has read the market.';
			return {problem: {state: 'note', text: `is reached and not ready${said}`, advice}};
		}
		const {what, why, advice} = explain(error);
		return {problem: {state: 'bad', text: `does not serve. ${what}: ${why}`, advice}};
	} finally {
		client.close();
	}
}

/** Whether the addresses that answer read one market log. */
function samenessFindings(answers: readonly Answer[]): readonly Finding[] {
	const subject = 'service';
	const answered = answers.flatMap((answer, at) => ('problem' in answer ? [] : [{place: at + 1, epoch: answer.epoch}]));
	const [first, ...others] = answered;
	if (first === undefined || others.length === 0) return [];
	const differing = others.filter(({epoch}) => epoch !== first.epoch).map(({place}) => place);
	if (differing.length > 0) {
		const text = `address ${differing.join(', ')} is not of the same service as address ${first.place}: rows and money would differ by chance`;
		return [
			{
				subject,
				state: 'bad',
				text,
				advice: 'Give only the replicas of one service: pulsetop serve with the same --store.',
			},
		];
	}
	if (first.epoch === undefined) {
		const text = 'the addresses say no position in a market log: whether they are one service is not known';
		return [{subject, state: 'note', text}];
	}
	return [{subject, state: 'good', text: 'the addresses that answer are replicas of one service'}];
}
