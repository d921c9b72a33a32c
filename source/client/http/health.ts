import type {Health} from '../../contract/health.ts';
import {isObject} from '../wire/wire-value.ts';
import type {Http} from './http.ts';
import {InvalidResponse, ServiceRefused} from './service-errors.ts';

/** What a service reports of itself; undefined for what it does not report. */
export type ServiceFacts = Partial<Pick<Health, 'market' | 'history'>>;

/**
 * Reads what kind of market the service has. Empty for a service without this endpoint, as hosted ones are.
 * @throws as Http.json, except for a refusal and a response in another form
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
		if (error instanceof ServiceRefused || error instanceof InvalidResponse) return {};
		throw error;
	}
}
