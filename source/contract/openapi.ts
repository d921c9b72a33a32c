import * as z from 'zod';
import {ENDPOINTS, type Endpoint, type EndpointId, endpointOf} from './endpoints.ts';
import {entrySchema} from './entry-schema.ts';
import {type ErrorForm, errorSchemaOf} from './error-body.ts';
import {EXAMPLES} from './examples.ts';
import {liveSchema, readySchema} from './health.ts';
import {POSITION_HEADER} from './pulse-response.ts';
import {wireEntry} from './wire-entry.ts';

type Json = Record<string, unknown>;

const SECURITY = [{header: []}, {query: []}];

/** The description of the service that serves the document. */
export interface OpenApiOptions {
	/** Which calls it serves; all of the table when left out. */
	readonly ids?: readonly EndpointId[];
	/** Whether it requires a key. */
	readonly auth?: boolean;
	/** Whether it answers balancers and monitors too: `/health/live`, `/health/ready`, `/metrics`. No client calls these. */
	readonly operation?: boolean;
	/** Base address, when it is known. */
	readonly baseUrl?: string;
}

/** The OpenAPI 3.1 document of the API, made from the table of endpoints. Plain JSON; takes some tens of milliseconds. */
export function openApiDocument({
	ids = allIds(),
	auth = true,
	operation: isOperated = false,
	baseUrl,
}: OpenApiOptions = {}): Json {
	const paths: Record<string, Json> = {};
	for (const id of ids) {
		const endpoint = endpointOf(id);
		paths[endpoint.path] = {...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(id, endpoint, auth)};
	}
	if (isOperated) Object.assign(paths, operationPaths(auth));
	return {
		openapi: '3.1.0',
		info: {title: 'Market data, bridge, perpetuals and prediction markets', version: '1.0.0'},
		...(baseUrl === undefined ? {} : {servers: [{url: baseUrl}]}),
		paths,
		components: {
			schemas: {
				AssetEntry: jsonSchema(entrySchema('asset'), 'output'),
				PoolEntry: jsonSchema(entrySchema('pool'), 'output'),
				StandardError: jsonSchema(errorSchemaOf('standard'), 'output'),
				BridgeError: jsonSchema(errorSchemaOf('bridge'), 'output'),
			},
			headers: {
				Position: {
					description:
						'Only from one of several replicas: how far its market had read the log that all of them share. Answers at one position are equal.',
					schema: {type: 'string', pattern: '^[\\da-z]{1,32}\\.\\d{1,15}$'},
				},
			},
			securitySchemes: {
				header: {type: 'http', scheme: 'bearer', description: 'The API key, as it is or after "Bearer ".'},
				query: {type: 'apiKey', in: 'query', name: 'apiKey'},
			},
		},
	};
}

function allIds(): readonly EndpointId[] {
	return Object.keys(ENDPOINTS) as EndpointId[];
}

function operation(id: EndpointId, endpoint: Endpoint, auth: boolean): Json {
	const {summary, section, params, query, body, status, response, errorForm, errors = {}, isAlpha} = endpoint;
	const example = EXAMPLES[id] ?? {};
	const failure = content({$ref: errorRef(errorForm)});
	const needsKey = auth && endpoint.auth !== 'none';
	const parameters = [
		...(params ? parametersOf(params(), 'path', example.params) : []),
		...(query ? parametersOf(query(), 'query', example.query) : []),
	];
	return {
		operationId: id,
		summary,
		description: `Source: ${section}.${isAlpha ? ' Alpha: may change without notice.' : ''}`,
		...(parameters.length > 0 ? {parameters} : {}),
		...(body ? {requestBody: {required: true, content: content(jsonSchema(body(), 'input'), example.body)}} : {}),
		responses: {
			[status]: {
				description: 'Success.',
				headers: {[POSITION_HEADER]: {$ref: '#/components/headers/Position'}},
				content: content(jsonSchema(response(), 'output')),
			},
			...Object.fromEntries(
				Object.entries(errors).map(([code, description]) => [code, {description, content: failure}]),
			),
			default: {description: 'Failure.', content: failure},
		},
		...(needsKey ? {security: SECURITY} : {}),
	};
}

/** The calls of balancers and monitors. */
function operationPaths(auth: boolean): Record<string, Json> {
	const live = content(jsonSchema(liveSchema(), 'output'));
	const ready = content(jsonSchema(readySchema(), 'output'));
	const get = (operationId: string, summary: string, responses: Json, more: Json = {}): Json => ({
		get: {operationId, summary, description: 'Source: extension.', responses, ...more},
	});
	return {
		'/health/live': get('healthLive', 'Whether the process works.', {
			200: {description: 'It does.', content: live},
		}),
		'/health/ready': get('healthReady', 'Whether requests should be sent to this process.', {
			200: {description: 'Ready.', content: ready},
			503: {description: 'Not ready, with the reason.', content: ready},
		}),
		'/metrics': get(
			'metrics',
			"Figures in Prometheus' text format.",
			{200: {description: 'Success.', content: {'text/plain': {schema: {type: 'string'}}}}},
			auth ? {security: SECURITY} : {},
		),
	};
}

function content(schema: Json, example?: unknown): Json {
	return {'application/json': {schema, ...(example === undefined ? {} : {example})}};
}

function errorRef(form: ErrorForm): string {
	return form === 'bridge' ? '#/components/schemas/BridgeError' : '#/components/schemas/StandardError';
}

function parametersOf(schema: z.ZodType, place: 'path' | 'query', examples: Readonly<Json> = {}): Json[] {
	const {properties = {}, required = []} = jsonSchema(schema, 'input') as {
		properties?: Record<string, Json>;
		required?: string[];
	};
	return Object.entries(properties).map(([name, of]) => ({
		name,
		in: place,
		required: place === 'path' || required.includes(name),
		schema: of,
		...(examples[name] === undefined ? {} : {example: examples[name]}),
	}));
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
	const {$schema: _, ...rest} = z.toJSONSchema(schema, {
		io,
		unrepresentable: 'any',
		override: ({zodSchema, jsonSchema: json}) => {
			if (zodSchema !== wireEntry()) return;
			json.anyOf = [{$ref: '#/components/schemas/AssetEntry'}, {$ref: '#/components/schemas/PoolEntry'}];
		},
	});
	return rest;
}
