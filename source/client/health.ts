import type {Health} from '../contract/health.ts';
import type {Http} from './http.ts';
import {ServiceRefused, WrongAnswer} from './service-errors.ts';
import {isObject} from './wire-value.ts';

/** What a service says of itself; what it does not say is undefined. */
export type ServiceFacts = Partial<Pick<Health, 'market' | 'history'>>;

/**
 * Asks what kind of market the service has. One that has no such answer, as hosted ones, says nothing of it.
 * @throws as Http.json, but for a refusal and an answer in another form
 */
export async function fetchServiceFacts(http: Http, signal?: AbortSignal): Promise<ServiceFacts> {
	try {
		const {body} = await http.json({method: 'GET', path: '/health', retry: 'read', signal});
		if (!isObject(body)) return {};
		const {market, history} = body;
		return {
			...((market === 'simulated' || market === 'recorded') && {market}),
			...((history === 'loading' || history === 'complete') && {history}),
		};
	} catch (error) {
		if (error instanceof ServiceRefused || error instanceof WrongAnswer) return {};
		throw error;
	}
}
