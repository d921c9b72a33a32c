import type {FastifyInstance} from 'fastify';
import type {ErrorForm} from '../contract/error-body.ts';
import type {Keyring} from './auth.ts';
import type {Credits} from './credits.ts';
import type {Limits} from './limits.ts';
import type {Market} from './market/market.ts';
import type {MoneyRoom} from './money-room.ts';
import type {PredictionExchange} from './prediction/exchange.ts';
import type {EntryCache} from './pulse/entry-cache.ts';
import type {PulseEngine} from './pulse/pulse-engine.ts';
import type {StreamChannel} from './stream/channel.ts';

/** What every part of the service is given. */
export interface ServiceContext {
	readonly market: Market;
	readonly entries: EntryCache;
	readonly pulse: PulseEngine;
	readonly keyring: Keyring;
	readonly limits: Limits;
	readonly credits: Credits;
	/** False: everybody on this machine is trusted, and nobody else is heard. */
	readonly auth: boolean;
	/** Reports a fault of the service itself: what the caller is not told. */
	fault(during: string, error: unknown): void;
	/** Chains, bridge and perpetuals; loaded when first used. */
	readonly money: MoneyRoom;
	readonly prediction: PredictionExchange;
	/** The one key was made for this run alone: whoever has it has everything that former runs kept. */
	readonly hasMadeKey: boolean;
	/** Whether webhooks may lead to private addresses. */
	readonly allowPrivateWebhooks: boolean;
	/** Where parts keep what must survive; undefined: nothing survives this run. */
	readonly dataDir: string | undefined;
}

/** A part of the service: its HTTP routes, and its kinds of subscription on the socket if it has any. */
export interface RouteModule {
	register(app: FastifyInstance, context: ServiceContext): void;
	channels?(context: ServiceContext): readonly StreamChannel[];
}

declare module 'fastify' {
	interface FastifyContextConfig {
		/** False: answered without a key. Default: a key is required. */
		auth?: boolean;
		/** Pages in a browser may ask and read it, from anywhere. Default: none may. */
		pages?: boolean;
		/** Default `standard`. */
		errorForm?: ErrorForm;
	}

	interface FastifyRequest {
		/** Who asks: `key:<n>`, or `address:<ip>` where no key is needed. */
		caller: string;
	}
}
