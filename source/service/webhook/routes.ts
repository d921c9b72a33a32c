import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {bareKey} from '../auth.ts';
import {serveEndpoint} from '../endpoint-route.ts';
import {Refused} from '../http-error.ts';
import type {RouteModule, ServiceContext} from '../service-context.ts';
import type {Webhooks} from './webhooks.ts';

/** Webhooks of an earlier run are resumed when the first screen is there. */
const RESUME_MS = 1000;

/** Webhooks over HTTP (spec 4.15, contract gaps 8). What delivers them is loaded when there is one. */
export const webhookRoutes: RouteModule = {
	register(app, context) {
		let opening: Promise<Webhooks> | undefined;
		const webhooks = (): Promise<Webhooks> => {
			opening ??= open(context).catch(error => {
				opening = undefined;
				throw error;
			});
			return opening;
		};
		let timer: NodeJS.Timeout | undefined;
		const resume = (): void => {
			timer = setTimeout(async () => {
				try {
					await webhooks();
				} catch (error) {
					context.fault('resuming webhooks', error);
					// A database of replicas comes back without them.
					if (context.replica) resume();
				}
			}, RESUME_MS).unref();
		};
		app.addHook('onListen', async () => {
			const {dataDir, replica} = context;
			if (replica || (dataDir !== undefined && existsSync(join(dataDir, 'service.db')))) resume();
		});
		app.addHook('onClose', async () => {
			clearTimeout(timer);
			await (await opening?.catch(() => undefined))?.close();
		});

		serveEndpoint(app, 'webhookList', async ({query}) => {
			const apiKey = allowed(context, query.apiKey);
			const data = await (await webhooks()).list(apiKey);
			return {success: true, count: data.length, data};
		});
		// The key may come in the body alone.
		const auth = false;
		serveEndpoint(
			app,
			'webhookCreate',
			async ({body}) => {
				const apiKey = allowed(context, body.apiKey);
				return (await webhooks()).create(apiKey, body);
			},
			{auth},
		);
		serveEndpoint(
			app,
			'webhookUpdate',
			async ({body}) => {
				const apiKey = allowed(context, body.apiKey);
				const data = await (await webhooks()).update(apiKey, body.streamId, body.mode, body.filters);
				return {success: true, message: 'The filters were changed', data};
			},
			{auth},
		);
		serveEndpoint(app, 'webhookDelete', async ({params, query}, request) => {
			const apiKey = allowed(context, query.apiKey ?? request.headers.authorization);
			await (await webhooks()).remove(apiKey, params.id);
			return {success: true, message: 'The webhook was deleted', id: params.id};
		});
		serveEndpoint(app, 'webhookDeliveries', async ({params, query}, request) => {
			const apiKey = allowed(context, query.apiKey ?? request.headers.authorization);
			return {success: true, data: await (await webhooks()).deliveries(apiKey, params.id, query)};
		});
		serveEndpoint(
			app,
			'webhookRedeliver',
			async ({params, body}) => {
				const apiKey = allowed(context, body.apiKey);
				return {success: true, id: params.id, count: await (await webhooks()).redeliver(apiKey, params.id)};
			},
			{auth},
		);
	},
};

async function open(context: ServiceContext): Promise<Webhooks> {
	const {market, money, allowPrivateWebhooks: allowPrivate, hasMadeKey: isOneOwner, replica, fault} = context;
	const onError = (error: unknown) => fault('delivering to webhooks', error);
	const {createWebhooks} = await import('./webhooks.ts');
	const database = await money.database();
	const {log: marketLog} = market;
	const shared = replica && marketLog && {id: replica.id, leases: replica.leases, log: replica.log, marketLog};
	return createWebhooks({market, database, replica: shared, allowPrivate, isOneOwner, onError});
}

/** The key that the call is for. Without auth any text is a key: the key only separates people's webhooks. @throws Refused 401 */
function allowed({auth, keyring}: ServiceContext, text: string | undefined): string {
	const key = bareKey(text);
	if (key === undefined) throw new Refused(401, 'An API key is required');
	if (auth && keyring.identify(key) === undefined) throw new Refused(401, 'The API key is not valid');
	return key;
}
