import type {Client} from '../../client/client.ts';
import type {Config} from '../../config/config.ts';
import {KeyMissing} from '../../monitor/webhooks/webhook-key.ts';
import type {Call} from '../line/command.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {openService} from '../open-service.ts';
import {assertMayAct} from '../trading/context.ts';
import {secretFromFd} from '../trading/passphrase.ts';
import {deliveryLine, eventOf} from './delivery-words.ts';
import {newWebhook} from './new-webhook.ts';
import {openReceiver, type Receiver} from './receiver.ts';

/** Bytes that may wait for a reader who is slow; more is left with the service, which comes again. */
const MOST_WAITING = 8_000_000;
/** What still waits for a reader that is stuck must not keep a program that was told to end. */
const STUCK_AFTER_MS = 1000;
/** The end of the webhook must not keep the program either. */
const GOODBYE_MS = 5000;
const MAX_SECRET_BYTES = 1024;

/**
 * `pulsetop webhook listen`: receives deliveries on this machine, checks their signatures and prints them, until Ctrl+C or
 * as many as `--count` says. It makes the webhook that leads here and deletes it at the end, or with `--secret-fd` receives
 * for one that there is.
 * @throws UsageError, FormProblem, NotListening, ReadOnly; what the service refuses
 */
export async function webhookListen({flags, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const asked = readAsked(flags);
	const given = await secretFromFd(flags, 'secret-fd', {until: 'line', maxBytes: MAX_SECRET_BYTES});
	if (given === undefined) assertMayAct(config, 'a new webhook');
	const end = untilToldToEnd();
	const secret = Promise.withResolvers<string>();
	// Without deliveries nobody waits for it.
	secret.promise.catch(() => {});
	const receiver = await openReceiver({
		...asked,
		secret: secret.promise,
		...printer(flags, asked.count, end.notify),
	});
	try {
		if (given === undefined) await withWebhook({config, flags, receiver, asked}, secret, end.told);
		else {
			secret.resolve(given.toString('utf8'));
			given.fill(0);
			say(`Receiving on ${receiver.url}; Ctrl+C ends it.\n`);
			await end.told;
		}
	} catch (error) {
		secret.reject(error);
		throw error;
	} finally {
		await receiver.close();
		end.forget();
	}
	return 0;
}

interface Asked {
	readonly host: string;
	readonly port: number;
	readonly publicUrl?: string;
	readonly count: number;
}

/** @throws UsageError, FormProblem: before anything is started */
function readAsked(flags: Flags): Asked {
	const host = flags.text('host') ?? '127.0.0.1';
	const publicUrl = flags.text('public-url');
	const isAny = host === '0.0.0.0' || host === '::';
	if (flags.has('secret-fd')) {
		const clash = ['public-url', 'event', 'chain', 'filter'].find(name => flags.has(name));
		if (clash !== undefined)
			throw new UsageError(`--secret-fd and --${clash} exclude each other`, 'With a secret no webhook is made.');
	} else if (isAny && publicUrl === undefined)
		throw new UsageError('--public-url is missing', `A service cannot post to ${host}: say what address leads here.`);
	// What can't be right is said before a service is started for it.
	newWebhook(flags, {name: 'n', url: publicUrl ?? 'http://127.0.0.1/'});
	return {
		host,
		port: flags.wholeNumber('port', {from: 0, to: 65_535}) ?? 0,
		count: flags.wholeNumber('count', {from: 1, to: 1_000_000_000}) ?? Number.POSITIVE_INFINITY,
		...(publicUrl !== undefined && {publicUrl}),
	};
}

/** Makes the webhook that leads to the receiver, and deletes it when it is told to end. */
async function withWebhook(
	{config, flags, receiver, asked}: {config: Config; flags: Flags; receiver: Receiver; asked: Asked},
	secret: PromiseWithResolvers<string>,
	told: Promise<void>,
): Promise<void> {
	// A service of our own keeps nothing: if this ends badly, no webhook is left that leads nowhere.
	const [service, {createClient}] = await Promise.all([
		openService(config, {allowPrivateWebhooks: true}),
		import('../../client/create-client.ts'),
	]);
	const client = createClient({...service.options, streamUrl: null});
	try {
		const {apiKey} = service.options;
		if (apiKey === undefined) throw new KeyMissing();
		const body = newWebhook(flags, {name: 'pulsetop webhook listen', url: asked.publicUrl ?? receiver.url});
		const {id, webhookSecret} = await client.call('webhookCreate', {body: {...body, apiKey}});
		secret.resolve(webhookSecret);
		try {
			say(`Receiving on ${receiver.url} for the webhook ${id}; Ctrl+C ends it and deletes the webhook.\n`);
			await told;
		} finally {
			await goodbye(client, id, apiKey);
		}
	} finally {
		await client.close();
		await service.close();
	}
}

async function goodbye({call}: Client, id: string, apiKey: string): Promise<void> {
	try {
		await call('webhookDelete', {params: {id}, query: {apiKey}}, {timeoutMs: GOODBYE_MS});
	} catch {
		say(`The webhook ${id} could not be deleted: pulsetop webhook delete ${id}\n`);
	}
}

function say(words: string): void {
	process.stderr.write(words);
}

/** What is done with deliveries: a line each. @param enough is called after so many */
function printer(flags: Flags, count: number, enough: () => void) {
	const isJson = flags.has('json') || flags.text('format') === 'jsonl';
	let taken = 0;
	return {
		onDelivery: (delivery: Parameters<typeof deliveryLine>[0]): boolean => {
			if (taken >= count || process.stdout.writableLength > MOST_WAITING) return false;
			const atMs = Date.now();
			process.stdout.write(
				isJson
					? `${JSON.stringify({type: 'delivery', atMs, event: eventOf(delivery.body), ...delivery})}\n`
					: deliveryLine(delivery, atMs),
			);
			taken++;
			if (taken === count) enough();
			return true;
		},
		onRefused: (why: string): void => {
			if (isJson) process.stdout.write(`${JSON.stringify({type: 'refused', atMs: Date.now(), why})}\n`);
			else say(`refused: its signature is ${why === 'old' ? 'of another time' : why}\n`);
		},
	};
}

/** SIGINT, SIGTERM, a closed terminal or a reader that has gone: the webhook has to be deleted before the program ends. */
function untilToldToEnd(): {readonly told: Promise<void>; notify(): void; forget(): void} {
	const {promise: told, resolve} = Promise.withResolvers<void>();
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
	const notify = () => {
		resolve();
		setTimeout(() => process.exit(0), GOODBYE_MS + STUCK_AFTER_MS).unref();
	};
	for (const signal of signals) process.on(signal, notify);
	process.stdout.removeAllListeners('error').on('error', notify);
	return {
		told,
		notify,
		forget: () => {
			for (const signal of signals) process.off(signal, notify);
		},
	};
}
