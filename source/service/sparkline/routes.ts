import {createHash} from 'node:crypto';
import type {FastifyReply, FastifyRequest} from 'fastify';
import {entryKey} from '../../contract/entry.ts';
import {serveEndpoint} from '../endpoint-route.ts';
import {Refused} from '../http-error.ts';
import type {Market} from '../market/market.ts';
import type {RouteModule} from '../service-context.ts';
import {findAsset} from './find-asset.ts';
import {drawPng} from './png.ts';
import {priceLine, TIME_FRAMES} from './price-line.ts';
import {drawSvg} from './svg.ts';

/** GET /api/1/market/sparkline (spec 4.14) and the pictures that it points at, which need no key. */
export const sparklineRoutes: RouteModule = {
	register(app, {market, publicUrl}) {
		serveEndpoint(
			app,
			'sparkline',
			({query}, request) => {
				const {row, frame, format} = findAsset(market, query);
				const chain = market.table.text('chain_id', row)!;
				const address = market.table.text('address', row)!;
				return {
					url: `${publicUrl ?? ownOrigin(request)}/sparkline/${encodeURIComponent(chain)}/${encodeURIComponent(address)}/${frame}.${format}`,
				};
			},
			{market: true},
		);
		app.get('/sparkline/:chain/:address/:file', {config: {auth: false, market: true}}, (request, reply) =>
			sendPicture(market, request, reply),
		);
	},
};

/** The origin that the caller used for this service; the address of the connection where the request names no host. Forwarded headers are not read: anybody can send them. */
function ownOrigin({protocol, host, socket}: FastifyRequest): string {
	if (host) return new URL(`${protocol}://${host}`).origin;
	const {localAddress = '127.0.0.1', localPort} = socket;
	return `${protocol}://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

function sendPicture(market: Market, request: FastifyRequest, reply: FastifyReply): FastifyReply {
	const {chain, address, file} = request.params as Record<'chain' | 'address' | 'file', string>;
	const [, frame = '', format] = /^(\w+)\.(svg|png)$/.exec(file) ?? [];
	const key = entryKey(chain, address);
	const row = market.table.rowOf(key);
	const nowMs = market.nowMs();
	const frameMs = TIME_FRAMES.get(frame);
	const points = frameMs === undefined ? undefined : market.priceHistory(key, nowMs - frameMs);
	if (row === undefined || points === undefined) throw new Refused(404, 'There is no such picture');
	const lastPrice = market.table.numbers('latest_price')[row]!;
	// An unknown price has no picture: a line at 0 would say that the token is worth nothing.
	if (points.length === 0 && Number.isNaN(lastPrice)) throw new Refused(404, 'The price of the token is not known yet');
	const line = priceLine(points, lastPrice, {frame, nowMs});
	const picture = format === 'png' ? drawPng(line) : Buffer.from(drawSvg(line));
	const etag = `"${createHash('sha256').update(picture).digest('base64url').slice(0, 22)}"`;
	reply
		.header('cache-control', 'public, max-age=15')
		.header('etag', etag)
		.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
		.header('x-content-type-options', 'nosniff');
	if (request.headers['if-none-match'] === etag) return reply.code(304).send();
	return reply.type(format === 'png' ? 'image/png' : 'image/svg+xml; charset=utf-8').send(picture);
}
