import {fastify} from 'fastify';
import {expect, onTestFinished, test} from 'vitest';
import {Engine} from '../../../source/service/market/engine.ts';
import {marketView} from '../../../source/service/market/market-view.ts';
import type {ServiceContext} from '../../../source/service/service-context.ts';
import {sparklineRoutes} from '../../../source/service/sparkline/routes.ts';
import {CHAIN, launch, START_MS, trade} from '../market/make-events.ts';

test('of a token whose price is not known there is no picture, and from its first trade on there is one', async () => {
	const engine = new Engine(START_MS);
	const market = {
		...marketView(engine, {entityOf: () => undefined, platform: () => undefined}),
		onEvent: () => () => {},
	};
	const app = fastify();
	onTestFinished(() => app.close());
	app.setErrorHandler((error: {status?: number; statusCode?: number}, _, reply) =>
		reply.code(error.status ?? error.statusCode ?? 500).send(),
	);
	// The routes use nothing else of the service.
	sparklineRoutes.register(app, {market} as unknown as ServiceContext);
	const picture = () => app.inject({url: `/sparkline/${encodeURIComponent(CHAIN)}/Token/1h.svg`});
	engine.apply(launch({priceUSD: null, quoteUSD: null}));
	engine.advance(START_MS);
	expect((await picture()).statusCode).toBe(404);
	engine.apply(trade('Ann', 'buy'));
	engine.advance(START_MS + 2000);
	const drawn = await picture();
	expect(drawn.statusCode).toBe(200);
	expect(drawn.body).toContain('data-min="2" data-max="2" data-last="2"');
});
