import type * as z from 'zod';
import type {Next} from '../errors.ts';
import * as bridge from './bridge.ts';
import type {ErrorForm} from './error-body.ts';
import {healthQuerySchema, healthSchema} from './health.ts';
import * as labels from './labels.ts';
import * as perp from './perp.ts';
import * as practice from './practice.ts';
import * as prediction from './prediction.ts';
import {pulseBodySchema, pulseQuerySchema} from './pulse-request.ts';
import {paginationResponseSchema, pulseDefaultResponseSchema, pulseResponseSchema} from './pulse-response.ts';
import * as sparkline from './sparkline.ts';
import {systemMetadataSchema} from './system-metadata.ts';
import * as webhook from './webhook.ts';

/** One call of the API. Schemas are functions, since building all of them at start would cost milliseconds. */
export interface Endpoint {
	readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Under the base address; `{name}` is a path parameter. */
	readonly path: `/${'api' | 'dev'}/${string}` | '/health';
	/** One sentence for the OpenAPI document. */
	readonly summary: string;
	/** Where the rule comes from: a section of the spec, or of the contract gaps. */
	readonly section: string;
	/** `key`: an API key. `key+signature`: also a single-use EIP-191 signature in the body (spec 5). `none`: no key is needed. */
	readonly auth: 'key' | 'key+signature' | 'none';
	readonly params?: () => z.ZodType;
	readonly query?: () => z.ZodType;
	readonly body?: () => z.ZodType;
	/** Status of a success. */
	readonly status: 200 | 201;
	readonly response: () => z.ZodType;
	readonly errorForm: ErrorForm;
	/** `read`: may be sent again after a failure. `never`: after an unclear failure the status must be read first. */
	readonly retry: 'read' | 'never';
	/** Time limit of a client, where it is not 10 s. */
	readonly timeoutMs?: number;
	/** Failures by status that the spec documents, and the error of a client. */
	readonly errors?: Readonly<Partial<Record<number, string>>>;
	/** The next step after a failure with this status, where it differs from the default (spec 7). */
	readonly next?: Readonly<Partial<Record<number, Next>>>;
	/**
	 * How strictly a client reads the response; without it, parts that are malformed may be left out and texts are cleaned.
	 * `complete`: no part may be left out. `exact`: also, texts stay byte for byte as received, to be compared or sent on.
	 * `proposal`: also, it will be signed, so a member that no schema names is refused: it may mean more than is shown.
	 */
	readonly reading?: 'complete' | 'exact' | 'proposal';
	/** May change without notice (spec 9). */
	readonly isAlpha?: true;
}

const READ = {auth: 'key', status: 200, errorForm: 'standard', retry: 'read'} as const;
const WRITE = {...READ, retry: 'never'} as const;
const BRIDGE_READ = {...READ, errorForm: 'bridge'} as const;
const ALPHA = {isAlpha: true} as const;

/** Payloads only prepare, but each signature counts once: to repeat means to sign again (spec 5, 7). */
const PAYLOAD = {
	method: 'POST',
	auth: 'key+signature',
	status: 200,
	errorForm: 'standard',
	retry: 'never',
	timeoutMs: 15_000,
	next: {403: 'retry-same'},
	errors: {
		400: 'zod validation failed, or the payload could not be built; `reason` says why.',
		403: 'timestamp expired, or signature already used.',
	},
	response: perp.payloadResponseSchema,
	reading: 'proposal',
} as const;

/**
 * Every call of the API by its id. The client's `call(id, input)` and the service's routes are made from this table.
 */
export const ENDPOINTS = {
	health: {
		...READ,
		auth: 'none',
		method: 'GET',
		path: '/health',
		summary: 'Whether the service answers, and whether its market is real.',
		section: 'extension',
		query: healthQuerySchema,
		response: healthSchema,
	},
	pulse: {
		...READ,
		method: 'POST',
		path: '/api/2/pulse',
		summary: 'Views of tokens or pools.',
		section: 'spec 4.1',
		body: pulseBodySchema,
		response: pulseResponseSchema,
	},
	pulseDefault: {
		...READ,
		method: 'GET',
		path: '/api/2/pulse',
		summary: 'The three views of the default model.',
		section: 'spec 4.2',
		query: pulseQuerySchema,
		response: pulseDefaultResponseSchema,
	},
	pulsePagination: {
		...READ,
		method: 'POST',
		path: '/api/2/pulse/pagination',
		summary: 'Number of items that match each view; cached.',
		section: 'spec 4.3',
		body: pulseBodySchema,
		response: paginationResponseSchema,
	},
	walletLabels: {
		...READ,
		method: 'POST',
		path: '/api/1/wallet/labels',
		summary: 'Behavioural labels and identity of wallets.',
		section: 'spec 4.10',
		body: labels.labelsBodySchema,
		response: labels.labelsResponseSchema,
	},
	sparkline: {
		...READ,
		method: 'GET',
		path: '/api/1/market/sparkline',
		summary: 'The address of a price chart.',
		section: 'spec 4.14',
		query: sparkline.sparklineQuerySchema,
		response: sparkline.sparklineResponseSchema,
	},
	systemMetadata: {
		...READ,
		method: 'GET',
		path: '/api/1/system-metadata',
		summary: 'Pool types, chains and factories.',
		section: 'gaps 7',
		response: systemMetadataSchema,
	},

	webhookList: {
		...READ,
		method: 'GET',
		path: '/api/1/webhook',
		summary: 'The active webhooks of an API key.',
		section: 'spec 4.15',
		query: webhook.webhookListQuerySchema,
		response: webhook.webhookListResponseSchema,
	},
	webhookCreate: {
		...WRITE,
		method: 'POST',
		path: '/api/1/webhook',
		summary: 'A new webhook; its secret is shown here only.',
		section: 'gaps 8',
		body: webhook.webhookCreateBodySchema,
		response: webhook.webhookCreateResponseSchema,
		reading: 'exact',
	},
	webhookUpdate: {
		...WRITE,
		method: 'PATCH',
		path: '/api/1/webhook',
		summary: 'Changes the filters of a webhook.',
		section: 'gaps 8',
		body: webhook.webhookUpdateBodySchema,
		response: webhook.webhookUpdateResponseSchema,
	},
	webhookDelete: {
		...WRITE,
		method: 'DELETE',
		path: '/api/1/webhook/{id}',
		summary: 'Deletes a webhook.',
		section: 'gaps 8',
		params: webhook.webhookDeleteParamsSchema,
		query: webhook.webhookDeleteQuerySchema,
		response: webhook.webhookDeleteResponseSchema,
	},
	webhookDeliveries: {
		...READ,
		method: 'GET',
		path: '/api/1/webhook/{id}/deliveries',
		summary: 'Counts of a webhook, and events that could not be delivered (an extension).',
		section: 'gaps 8',
		params: webhook.webhookDeleteParamsSchema,
		query: webhook.webhookDeliveriesQuerySchema,
		response: webhook.webhookDeliveriesResponseSchema,
	},
	webhookRedeliver: {
		...WRITE,
		method: 'POST',
		path: '/api/1/webhook/{id}/redeliver',
		summary: 'Sends events again that could not be delivered (an extension).',
		section: 'gaps 8',
		params: webhook.webhookDeleteParamsSchema,
		body: webhook.webhookRedeliverBodySchema,
		response: webhook.webhookRedeliverResponseSchema,
	},

	bridgeQuote: {
		...BRIDGE_READ,
		method: 'GET',
		path: '/api/2/bridge/quote',
		summary: 'Output and costs of a cross-chain transfer, with the steps to sign.',
		section: 'spec 4.5',
		query: bridge.quoteQuerySchema,
		response: bridge.quoteResponseSchema,
		reading: 'exact',
		timeoutMs: 15_000,
	},
	bridgeExecute: {
		...BRIDGE_READ,
		...ALPHA,
		retry: 'never',
		method: 'POST',
		path: '/api/2/bridge/execute',
		summary: 'Broadcast of a user-signed sponsored batch; costs one credit of the key.',
		section: 'spec 4.4',
		body: bridge.executeBodySchema,
		response: bridge.executeResponseSchema,
		reading: 'exact',
		timeoutMs: bridge.BRIDGE.solverMs + 15_000,
		next: {
			400: 'requote',
			401: 'fix-input',
			409: 'poll-status',
			502: 'retry-same',
			503: 'retry-later',
			504: 'poll-status',
		},
		errors: {
			400: 'Not quoted as gasless, wrong authority, a call out of scope or with a value, wrong nonce lane, expired deadline, or a bad signature of the intent: nothing was sent; ask for a new quote.',
			401: 'batchSignature does not recover to authority, or the API key is missing.',
			402: 'The credits of the key are used up.',
			409: 'The intent was submitted before, or its batch has reverted: read its status.',
			502: 'The solver refused it or could not broadcast it: nothing was sent; try the same intent again.',
			503: 'Single execution or the quote could not be guaranteed: try again shortly.',
			504: 'The solver did not answer within 30 s: the deposit may still land, so read the status first.',
		},
	},
	bridgeStatus: {
		...BRIDGE_READ,
		method: 'GET',
		path: '/api/2/bridge/status/{intentId}',
		summary: 'The status of an intent.',
		section: 'spec 4.6',
		params: bridge.bridgeStatusParamsSchema,
		response: bridge.bridgeStatusResponseSchema,
	},
	bridgeStatusWait: {
		...BRIDGE_READ,
		method: 'GET',
		path: '/api/2/bridge/status/{intentId}/wait',
		summary: 'The status of an intent, at its end or after 30 s.',
		section: 'spec 4.6',
		params: bridge.bridgeStatusParamsSchema,
		response: bridge.bridgeStatusResponseSchema,
		timeoutMs: bridge.BRIDGE.waitMs + 15_000,
	},
	bridgeRoutes: {
		...BRIDGE_READ,
		method: 'GET',
		path: '/api/2/bridge/routes',
		summary: 'Pairs of chains that can be bridged.',
		section: 'gaps 4.3',
		response: bridge.routesResponseSchema,
	},
	bridgeHistory: {
		...BRIDGE_READ,
		method: 'GET',
		path: '/api/2/bridge/history',
		summary: 'Past intents.',
		section: 'gaps 4.5',
		query: bridge.bridgeHistoryQuerySchema,
		response: bridge.bridgeHistoryResponseSchema,
	},

	perpCancelOrder: {
		...PAYLOAD,
		path: '/api/2/perp/payloads/cancel-order',
		summary: 'Payload to cancel an unfilled order, a take-profit or a stop-loss.',
		section: 'spec 4.7',
		body: perp.cancelOrderBodySchema,
	},
	perpCreateOrder: {
		...PAYLOAD,
		path: '/api/2/perp/payloads/create-order',
		summary: 'Payload to place an order.',
		section: 'gaps 5.2',
		body: perp.createOrderBodySchema,
	},
	perpClosePosition: {
		...PAYLOAD,
		path: '/api/2/perp/payloads/close-position',
		summary: 'Payload to close a position, whole or in part.',
		section: 'gaps 5.2',
		body: perp.closePositionBodySchema,
	},
	perpEditOrder: {
		...PAYLOAD,
		path: '/api/2/perp/payloads/edit-order',
		summary: 'Payload to change take-profit and stop-loss.',
		section: 'gaps 5.2',
		body: perp.editOrderBodySchema,
	},
	perpUpdateMargin: {
		...PAYLOAD,
		path: '/api/2/perp/payloads/update-margin',
		summary: 'Payload to change the margin or the leverage of a position.',
		section: 'gaps 5.2',
		body: perp.updateMarginBodySchema,
	},
	perpWithdraw: {
		...PAYLOAD,
		path: '/api/2/perp/payloads/withdraw',
		summary: 'Payload to withdraw from an exchange.',
		section: 'gaps 5.2',
		body: perp.withdrawBodySchema,
	},
	perpDeposit: {
		...PAYLOAD,
		path: '/api/2/perp/payloads/deposit',
		summary: 'Payload to deposit into an exchange.',
		section: 'gaps 5.2',
		body: perp.depositBodySchema,
	},
	perpCreateAccount: {
		...PAYLOAD,
		path: '/api/2/perp/payloads/create-account',
		summary: 'Payload to register an account with an exchange.',
		section: 'gaps 5.2',
		body: perp.createAccountBodySchema,
	},
	perpExecute: {
		...WRITE,
		auth: 'key+signature',
		method: 'POST',
		path: '/api/2/perp/execute-v2',
		summary: 'Execution of a payload.',
		section: 'spec 4.9',
		body: perp.perpExecuteBodySchema,
		response: perp.perpExecuteResponseSchema,
		reading: 'exact',
		timeoutMs: 45_000,
		next: {403: 'retry-same', 504: 'poll-status'},
	},
	perpCheckProcess: {
		...READ,
		method: 'GET',
		path: '/api/2/perp/check-process',
		summary: 'The status of a running execution.',
		section: 'gaps 5.3',
		query: perp.checkProcessQuerySchema,
		response: perp.checkProcessResponseSchema,
	},
	perpUnfilled: {
		...READ,
		method: 'GET',
		path: '/api/2/wallet/positions/perp/unfilled',
		summary: 'Waiting orders of a wallet.',
		section: 'gaps 5.1',
		query: perp.positionsQuerySchema,
		response: perp.unfilledResponseSchema,
		reading: 'complete',
	},
	perpOpen: {
		...READ,
		method: 'GET',
		path: '/api/2/wallet/positions/perp/open',
		summary: 'Open positions of a wallet.',
		section: 'gaps 5.1',
		query: perp.positionsQuerySchema,
		response: perp.positionsResponseSchema,
		reading: 'complete',
	},

	marketsBatch: {
		...READ,
		...ALPHA,
		method: 'POST',
		path: '/api/2/pm/markets/batch',
		summary: 'Details of up to 50 prediction markets.',
		section: 'spec 4.11',
		body: prediction.marketsBatchBodySchema,
		response: prediction.marketsBatchResponseSchema,
	},
	marketDetails: {
		...READ,
		...ALPHA,
		method: 'GET',
		path: '/api/2/pm/market/details',
		summary: 'Details of a prediction market.',
		section: 'gaps 6.1',
		query: prediction.marketDetailsQuerySchema,
		response: prediction.marketDetailsResponseSchema,
	},
	vaultStatus: {
		...READ,
		...ALPHA,
		method: 'GET',
		path: '/api/2/wallet/pm/status',
		summary: "State and balances of a wallet's smart account.",
		section: 'gaps 6.2',
		query: prediction.predictionAccountQuerySchema,
		response: prediction.predictionAccountResponseSchema,
	},
	withdrawBuild: {
		...READ,
		...ALPHA,
		status: 201,
		method: 'POST',
		path: '/api/2/pm/withdraw/build',
		summary: 'The transaction that withdraws stablecoin from a smart account.',
		section: 'spec 4.12',
		body: prediction.withdrawBuildBodySchema,
		response: prediction.predictionTransactionResponseSchema,
		reading: 'proposal',
	},
	depositBuild: {
		...READ,
		...ALPHA,
		status: 201,
		method: 'POST',
		path: '/api/2/pm/deposit/build',
		summary: 'The transaction that puts stablecoin into a smart account.',
		section: 'gaps 6.3',
		body: prediction.depositBuildBodySchema,
		response: prediction.predictionTransactionResponseSchema,
		reading: 'proposal',
	},
	deployBuild: {
		...READ,
		...ALPHA,
		status: 201,
		method: 'POST',
		path: '/api/2/pm/deploy/build',
		summary: 'The typed data that deploys a smart account.',
		section: 'spec 4.13',
		body: prediction.deployBuildBodySchema,
		response: prediction.deployBuildResponseSchema,
		reading: 'proposal',
	},
	deploySubmit: {
		...READ,
		...ALPHA,
		status: 201,
		method: 'POST',
		path: '/api/2/pm/deploy/submit',
		summary: 'The transaction that deploys a smart account, from its signed typed data.',
		section: 'gaps 6.2',
		body: prediction.deploySubmitBodySchema,
		response: prediction.predictionTransactionResponseSchema,
		reading: 'proposal',
	},

	devChains: {
		...READ,
		method: 'GET',
		path: '/dev/chains',
		summary: 'The chains of the money flows, with contracts and tokens (the embedded service only).',
		section: 'extension',
		response: practice.devChainsResponseSchema,
		timeoutMs: 30_000,
	},
	devRpc: {
		...WRITE,
		method: 'POST',
		path: '/dev/rpc/{chainId}',
		summary: "JSON-RPC of a chain's node: reads, and signed transactions (the embedded service only).",
		section: 'extension',
		params: practice.devRpcParamsSchema,
		body: practice.devRpcBodySchema,
		response: practice.devRpcResponseSchema,
		timeoutMs: 30_000,
	},
	devFaucet: {
		...WRITE,
		method: 'POST',
		path: '/dev/faucet',
		summary: 'Test tokens or coins on a practice chain (the embedded service only).',
		section: 'extension',
		body: practice.devFaucetBodySchema,
		response: practice.devFaucetResponseSchema,
		timeoutMs: 30_000,
	},
} as const satisfies Readonly<Record<string, Endpoint>>;

export type EndpointId = keyof typeof ENDPOINTS;

type Row<Id extends EndpointId> = (typeof ENDPOINTS)[Id];
type PartName = 'params' | 'query' | 'body';
type PartSchema<Name extends PartName, R> = R extends {readonly [N in Name]: () => infer S extends z.ZodType}
	? S
	: never;

type Given<Name extends PartName, R> = [PartSchema<Name, R>] extends [never]
	? unknown
	: {readonly [N in Name]: z.input<PartSchema<Name, R>>};
type Parsed<Name extends PartName, R> = [PartSchema<Name, R>] extends [never]
	? unknown
	: {readonly [N in Name]: z.output<PartSchema<Name, R>>};

/** The input of a call: `{params?, query?, body?}`, each where the endpoint has it. */
export type InputOf<Id extends EndpointId> = Given<'params', Row<Id>> &
	Given<'query', Row<Id>> &
	Given<'body', Row<Id>>;

/** The input of a handler of the service: parsed, with the defaults of the schemas. */
export type ParsedInputOf<Id extends EndpointId> = Parsed<'params', Row<Id>> &
	Parsed<'query', Row<Id>> &
	Parsed<'body', Row<Id>>;

/** The body of a success, as a caller gets it. */
export type OutputOf<Id extends EndpointId> = z.output<ReturnType<Row<Id>['response']>>;

/** The body of a success, as a handler of the service returns it. */
export type ServedOutputOf<Id extends EndpointId> = DeepReadonly<z.input<ReturnType<Row<Id>['response']>>>;

type DeepReadonly<T> = T extends object ? {readonly [K in keyof T]: DeepReadonly<T[K]>} : T;

/** The row of an endpoint with all optional members in its type. */
export function endpointOf(id: EndpointId): Endpoint {
	return ENDPOINTS[id];
}

/**
 * The path with its parameters filled in, encoded.
 * @throws a plain Error when a parameter is missing: that is a bug of the caller
 */
export function pathOfEndpoint(id: EndpointId, params: Readonly<Record<string, string>> = {}): string {
	return endpointOf(id).path.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = params[name];
		if (value === undefined || value === '') throw new Error(`${id}: the path parameter ${name} is missing`);
		return encodeURIComponent(value);
	});
}
