import {promisify} from 'node:util';
import {gzip} from 'node:zlib';
import type {FastifyReply} from 'fastify';
import type {PulseQuery, ViewQuery} from '../../contract/pulse-query.ts';
import {parsePulseBody, parsePulseQuery} from '../../contract/pulse-request.ts';
import {serveRaw} from '../endpoint-route.ts';
import {factoryNamesOf} from '../metadata/system-metadata.ts';
import type {RouteModule, ServiceContext} from '../service-context.ts';

const compress = promisify(gzip);

/**
 * POST and GET /api/2/pulse, POST /api/2/pulse/pagination (spec 4.1 to 4.3). They read requests by the reader of views,
 * which the stream shares, and send entries as the bytes that were made once for all requests.
 */
export const pulseRoutes: RouteModule = {
	register(app, context) {
		// A browser does not send a key by itself, as it does a cookie; without keys only this machine is served.
		const options = {pages: context.auth, market: true};
		const names = {factoryNames: factoryNamesOf(context.market)};
		serveRaw(app, 'pulse', ({body}, reply) => answer(context, parsePulseBody(body, names), reply), options);
		serveRaw(
			app,
			'pulseDefault',
			({query}, reply) => answer(context, parsePulseQuery(query, names), reply, ENVELOPE),
			options,
		);
		serveRaw(
			app,
			'pulsePagination',
			({body}) => {
				const {views} = parsePulseBody(body, names);
				return Object.fromEntries(views.map(view => [view.name, {pagination: context.pulse.count(view)}]));
			},
			options,
		);
	},
};

/** Around the views of GET (spec 4.2), not of POST: the sample of spec 4.1 has none. */
const ENVELOPE = ['{"type":"sync","payload":', '}'].map(part => Buffer.from(part));

async function answer(
	context: ServiceContext,
	query: PulseQuery,
	reply: FastifyReply,
	[before = EMPTY, after = EMPTY]: readonly Buffer[] = [],
): Promise<FastifyReply> {
	const body = Buffer.concat([before, ...pulseParts(context, query), after]);
	reply.type('application/json; charset=utf-8');
	if (!query.compressed) return reply.send(body);
	// Set explicitly: `compressed` asks for it whatever the request's Accept-Encoding says (contract gaps 3.3).
	return reply.header('content-encoding', 'gzip').send(await compress(body));
}

const EMPTY = Buffer.alloc(0);

/** `{"<view>":{"data":[…],"pagination":n},…}` made of the entries' bytes. */
function pulseParts(context: ServiceContext, query: PulseQuery): Buffer[] {
	const parts: Buffer[] = [];
	for (const view of query.views) {
		parts.push(Buffer.from(`${parts.length === 0 ? '{' : ','}${JSON.stringify(view.name)}:{"data":[`));
		for (const [i, entry] of entriesOf(context, query, view).entries())
			parts.push(...(i > 0 ? [COMMA, entry] : [entry]));
		const count = view.pagination ? `,"pagination":${context.pulse.count(view)}` : '';
		parts.push(Buffer.from(`]${count}}`));
	}
	parts.push(Buffer.from(parts.length === 0 ? '{}' : '}'));
	return parts;
}

const COMMA = Buffer.from(',');

function entriesOf(context: ServiceContext, query: PulseQuery, view: ViewQuery): Buffer[] {
	const mode = query.assetMode ? 'asset' : 'pool';
	const named = new Set(context.pulse.included(view));
	return context.pulse.page(view).map(row => context.entries.json(row, mode, named.has(row)));
}
