import type {Health} from '../../contract/health.ts';
import {isObject} from '../wire/wire-value.ts';
import type {Http} from './http.ts';
import {InvalidResponse, ServiceRefused} from './service-errors.ts';

/** The service's own description; an unreported member is undefined. */
export type ServiceFacts = Partial<Pick<Health, 'market' | 'history' | 'follow'>>;

/**
 * Reads what kind of market the service has. Empty for a service without this endpoint, as hosted ones are.
 * @throws as Http.json, except for a refusal and a response in another form
 */
export async function fetchServiceFacts(http: Http, signal?: AbortSignal): Promise<ServiceFacts> {
	try {
		const {body} = await http.json({method: 'GET', path: '/health', retry: 'read', signal});
		if (!isObject(body)) return {};
		const {market, history, follow} = body;
		const chains = Array.isArray(follow) ? await coverageOf(follow) : undefined;
		return {
			...((market === 'simulated' || market === 'recorded') && {market}),
			...((history === 'loading' || history === 'complete') && {history}),
			...(chains && {follow: chains}),
		};
	} catch (error) {
		if (error instanceof ServiceRefused || error instanceof InvalidResponse) return {};
		throw error;
	}
}

/** Loaded only for a service that follows chains. */
async function coverageOf(raw: readonly unknown[]): Promise<Health['follow']> {
	const {readCoverage} = await import('../wire/coverage.ts');
	return readCoverage(raw);
}
