import type {FastifyInstance} from 'fastify';
import type {ErrorForm} from '../contract/error-body.ts';
import type {Keyring} from './auth.ts';
import type {Credits} from './credits.ts';
import type {Limits} from './limits.ts';
import type {Market} from './market/market.ts';
import type {MoneyServices} from './money-services.ts';
import type {EntryCache} from './pulse/entry-cache.ts';
import type {PulseEngine} from './pulse/pulse-engine.ts';
import type {Readiness} from './readiness.ts';
import type {Replica} from './replicas/replica.ts';
import type {ReplicaNumbers} from './replicas/replica-numbers.ts';
import type {ServiceOptions} from './service-options.ts';
import type {StreamChannel} from './stream/channel.ts';

/** The context of every part of the service. */
export interface ServiceContext {
	readonly market: Market;
	readonly entries: EntryCache;
	readonly pulse: PulseEngine;
	readonly keyring: Keyring;
	readonly limits: Limits;
	readonly credits: Credits;
	/** False: every program on this machine is trusted, and requests from elsewhere are refused. */
	readonly auth: boolean;
	/** Database and leases that replicas of the service share; undefined in a single process. */
	readonly replica?: Replica | undefined;
	/** Whether this process should get requests. */
	readonly readiness: Readiness;
	/** State of the replica, for operators. */
	readonly replicaNumbers?: () => Promise<ReplicaNumbers>;
	/** Reports a fault of the service itself, which the caller does not see. */
	fault(during: string, error: unknown): void;
	/** Chains, bridge and perpetuals; loaded when first used. */
	readonly money: MoneyServices;
	/** The one key was made for this run: its holder owns everything that earlier runs stored. */
	readonly hasMadeKey: boolean;
	/** Where clients reach the service, without a slash at the end; undefined: at the Host of their requests. */
	readonly publicUrl?: string | undefined;
	/** Whether webhooks may lead to private addresses. */
	readonly allowPrivateWebhooks: boolean;
	/** Proves for a nonce that the service has only practice money; undefined where it has real money or the proof is impossible. */
	readonly provePractice: ServiceOptions['provePractice'];
	/** Where parts store what must survive; undefined: nothing survives this run. */
	readonly dataDir: string | undefined;
}

/** A part of the service: its HTTP routes, and its kinds of subscription on the socket. */
export interface RouteModule {
	register(app: FastifyInstance, context: ServiceContext): void;
	channels?(context: ServiceContext): readonly StreamChannel[];
}

declare module 'fastify' {
	interface FastifyContextConfig {
		/** False: answered without a key. Default true. */
		auth?: boolean;
		/** Whether pages of any site may send requests and read answers. Default false. */
		pages?: boolean;
		/** Whether the answer is made of the market: a replica that has not read the log yet gives none. Default false. */
		market?: boolean;
		/** Default `standard`. */
		errorForm?: ErrorForm;
	}

	interface FastifyRequest {
		/** Who sent the request: `key:<n>`, or `address:<ip>` where no key is needed. */
		caller: string;
	}
}
