import {hostname} from 'node:os';
import type {FastifyInstance, FastifyRequest} from 'fastify';
import type {Address} from 'viem';
import type {EndpointId} from '../../contract/endpoints.ts';
import {PREDICTION} from '../../contract/prediction.ts';
import {InvalidRequest} from '../../contract/wire-error.ts';
import type {Chain} from '../chain/chain-set.ts';
import {type EndpointHandler, serveEndpoint} from '../endpoint-route.ts';
import {Refused} from '../http-error.ts';
import type {RouteModule, ServiceContext} from '../service-context.ts';
import {findMarket, PLATFORM} from './markets.ts';

/** Prediction markets (spec 4.11 to 4.13, contract gaps 6). Alpha. Reading needs no chain; builds do. */
export const predictionRoutes: RouteModule = {
	register(app, context) {
		serveReading(app, context);
		app.register(async scope => {
			keepAmountText(scope);
			serveBuilds(scope, context);
		});
	},
};

const HOSTNAME = hostname();

/** Registers a route whose responses name the server and the milliseconds spent (spec 2.4b). */
function serveTimed<Id extends EndpointId>(app: FastifyInstance, id: Id, handler: EndpointHandler<Id>): void {
	serveEndpoint(app, id, async (input, request, reply) => {
		const startMs = performance.now();
		const output = await handler(input, request, reply);
		return {...output, hostname: HOSTNAME, took: Math.round((performance.now() - startMs) * 1000) / 1000};
	});
}

function serveReading(app: FastifyInstance, {market}: ServiceContext): void {
	serveTimed(app, 'marketsBatch', ({body}) => {
		// One for each item in the order of the request, repeated items too; unknown markets are left out.
		const found = body.items.flatMap(({platform, marketId}) => findMarket(platform, marketId, market.nowMs()) ?? []);
		return {payload: found};
	});
	serveTimed(app, 'marketDetails', ({query: {platform, marketId}}) => {
		if (platform !== PLATFORM) throw new InvalidRequest('platform', 'is not supported here', `it must be ${PLATFORM}`);
		const data = findMarket(platform, marketId, market.nowMs());
		if (data === undefined) throw new Refused(404, 'No such market');
		return {data};
	});
}

function serveBuilds(app: FastifyInstance, {money}: ServiceContext): void {
	/** Checks the address first, since a wrong one is the caller's fault even while the chain is away. */
	const onAccounts = async <T>(
		{wallet, field}: {wallet: string; field: 'address' | 'wallet'},
		act: (accounts: typeof import('./account.ts'), chain: Chain, owner: Address) => T | Promise<T>,
	): Promise<T> => {
		const accounts = await import('./account.ts');
		const owner = accounts.ownerAddress(wallet, field);
		return act(accounts, await (await money.chains()).ready(PREDICTION.chainId), owner);
	};
	serveTimed(app, 'withdrawBuild', async ({body: {address}}, request) => ({
		data: await onAccounts({wallet: address, field: 'address'}, (accounts, chain, owner) =>
			accounts.buildWithdraw(chain, owner, amountTexts.get(request)!),
		),
	}));
	serveTimed(app, 'depositBuild', async ({body: {address}}, request) => ({
		data: await onAccounts({wallet: address, field: 'address'}, (accounts, chain, owner) =>
			accounts.buildDeposit(chain, owner, amountTexts.get(request)!),
		),
	}));
	serveTimed(app, 'deployBuild', async ({body: {address}}) => ({
		data: await onAccounts({wallet: address, field: 'address'}, (accounts, chain, owner) =>
			accounts.buildDeploy(chain, owner),
		),
	}));
	serveTimed(app, 'deploySubmit', async ({body: {address, signature}}) => ({
		data: await onAccounts({wallet: address, field: 'address'}, (accounts, chain, owner) =>
			accounts.submitDeploy(chain, owner, signature),
		),
	}));
	serveEndpoint(app, 'vaultStatus', async ({query: {wallet}}) => ({
		data: await onAccounts({wallet, field: 'wallet'}, (accounts, chain, owner) => accounts.accountStatus(chain, owner)),
	}));
}

/** The text of `amount` in each request's body: a parsed number no longer has the digits that were written. */
const amountTexts = new WeakMap<FastifyRequest, string>();

/** A reviver of JSON.parse with the source text of primitive values, which the library's types lack. */
type SourceReviver = (this: object, key: string, value: unknown, context: {readonly source?: string}) => unknown;

/** Makes the routes of a scope keep the text of the amount in a body. */
function keepAmountText(scope: FastifyInstance): void {
	const parseJson = scope.getDefaultJsonParser('error', 'error');
	scope.removeContentTypeParser('application/json');
	scope.addContentTypeParser('application/json', {parseAs: 'string'}, (request, body, done) => {
		if (body === '') {
			done(null, undefined);
			return;
		}
		parseJson(request, body as string, (error, parsed) => {
			if (error === null) amountTexts.set(request, textOfMember(body as string, 'amount'));
			done(error, parsed);
		});
	});
}

/** The source text of a member of the outermost object; empty for a missing member. */
function textOfMember(json: string, name: string): string {
	const texts = new Map<unknown, string>();
	const listen: SourceReviver = function (key, value, {source}) {
		if (key === name && source !== undefined) texts.set(this, source);
		return value;
	};
	const outermost: unknown = JSON.parse(json, listen as (key: string, value: unknown) => unknown);
	return texts.get(outermost) ?? '';
}
