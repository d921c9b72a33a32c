import type {Client} from '../../client/client.ts';
import type {Config} from '../../config/config.ts';
import {KeyMissing} from '../../monitor/webhooks/webhook-key.ts';
import type {Call} from '../line/command.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {onEndSignal} from '../process/end-signals.ts';
import {withoutFollowing} from '../service/followed.ts';
import {openService} from '../service/open-service.ts';
import {assertMayAct} from '../trading/context.ts';
import {secretFromFd} from '../trading/passphrase.ts';
import {deliveryLine, eventOf} from './delivery-text.ts';
import {newWebhook} from './new-webhook.ts';
import {openReceiver, type Receiver} from './receiver.ts';

/** Maximum number of bytes waiting for a slow reader; further deliveries are refused, and the service repeats them. */
const MAX_WAITING = 8_000_000;
/** The program must end even when its reader is stuck. */
const STUCK_AFTER_MS = 1000;
/** Maximum time to delete the webhook at the end. */
const DELETE_TIMEOUT_MS = 5000;
const MAX_SECRET_BYTES = 1024;

/**
 * `pulsetop webhook listen`: receives deliveries on this machine, checks their signatures and prints them, until Ctrl+C or
 * `--count` deliveries. Creates a webhook and deletes it at the end, or with `--secret-fd` receives for an existing one.
 * @throws UsageError, FormProblem, NotListening, ReadOnly; the errors of the service
 */
export async function webhookListen({flags, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const options = readOptions(flags);
	const given = await secretFromFd(flags, 'secret-fd', {until: 'line', maxBytes: MAX_SECRET_BYTES});
	if (given === undefined) assertMayAct(config, 'a new webhook');
	const end = untilEnd();
	const secret = Promise.withResolvers<string>();
	// A failure is unhandled when no delivery awaits the secret.
	secret.promise.catch(() => {});
	const receiver = await openReceiver({
		...options,
		secret: secret.promise,
		...printer(flags, options.count, end.notify),
	});
	try {
		if (given === undefined) await withWebhook({config, flags, receiver, options}, secret, end.ended);
		else {
			secret.resolve(given.toString('utf8'));
			given.fill(0);
			say(`Receiving on ${receiver.url}; Ctrl+C ends it.\n`);
			await end.ended;
		}
	} catch (error) {
		secret.reject(error);
		throw error;
	} finally {
		await receiver.close();
		end.dispose();
	}
	return 0;
}

interface ListenOptions {
	readonly host: string;
	readonly port: number;
	readonly publicUrl?: string;
	readonly count: number;
}

/** Reads the flags before anything starts. @throws UsageError, FormProblem */
function readOptions(flags: Flags): ListenOptions {
	const host = flags.text('host') ?? '127.0.0.1';
	const publicUrl = flags.text('public-url');
	const isAny = host === '0.0.0.0' || host === '::';
	if (flags.has('secret-fd')) {
		const clash = ['public-url', 'event', 'chain', 'filter'].find(name => flags.has(name));
		if (clash !== undefined)
			throw new UsageError(`--secret-fd and --${clash} exclude each other`, 'With a secret no webhook is created.');
	} else if (isAny && publicUrl === undefined)
		throw new UsageError(
			'--public-url is missing',
			`A service cannot post to ${host}: give the address of this machine.`,
		);
	// Checks the flags of the webhook before a service starts.
	newWebhook(flags, {name: 'n', url: publicUrl ?? 'http://127.0.0.1/'});
	return {
		host,
		port: flags.wholeNumber('port', {from: 0, to: 65_535}) ?? 0,
		count: flags.wholeNumber('count', {from: 1, to: 1_000_000_000}) ?? Number.POSITIVE_INFINITY,
		...(publicUrl !== undefined && {publicUrl}),
	};
}

/** Creates a webhook that posts to the receiver, and deletes it at the end. @param ended resolves at the end */
async function withWebhook(
	{config, flags, receiver, options}: {config: Config; flags: Flags; receiver: Receiver; options: ListenOptions},
	secret: PromiseWithResolvers<string>,
	ended: Promise<void>,
): Promise<void> {
	// An embedded service gets no data directory, so that a crash leaves no webhook behind.
	const [service, {createClient}] = await Promise.all([
		openService(config.service.baseUrl === undefined ? config : withoutFollowing(config), {allowPrivateWebhooks: true}),
		import('../../client/create-client.ts'),
	]);
	const client = createClient({...service.options, streamUrl: null});
	try {
		const {apiKey} = service.options;
		if (apiKey === undefined) throw new KeyMissing();
		const body = newWebhook(flags, {name: 'pulsetop webhook listen', url: options.publicUrl ?? receiver.url});
		const {id, webhookSecret} = await client.call('webhookCreate', {body: {...body, apiKey}});
		secret.resolve(webhookSecret);
		try {
			say(`Receiving on ${receiver.url} for the webhook ${id}; Ctrl+C ends it and deletes the webhook.\n`);
			await ended;
		} finally {
			await deleteWebhook(client, id, apiKey);
		}
	} finally {
		await client.close();
		await service.close();
	}
}

async function deleteWebhook({call}: Client, id: string, apiKey: string): Promise<void> {
	try {
		await call('webhookDelete', {params: {id}, query: {apiKey}}, {timeoutMs: DELETE_TIMEOUT_MS});
	} catch {
		say(`The webhook ${id} could not be deleted: pulsetop webhook delete ${id}\n`);
	}
}

function say(text: string): void {
	process.stderr.write(text);
}

/** Prints a line for each delivery. @param onEnough is called after `count` deliveries */
function printer(flags: Flags, count: number, onEnough: () => void) {
	const isJson = flags.has('json') || flags.text('format') === 'jsonl';
	let taken = 0;
	return {
		onDelivery: (delivery: Parameters<typeof deliveryLine>[0]): boolean => {
			if (taken >= count || process.stdout.writableLength > MAX_WAITING) return false;
			const atMs = Date.now();
			process.stdout.write(
				isJson
					? `${JSON.stringify({type: 'delivery', atMs, event: eventOf(delivery.body), ...delivery})}\n`
					: deliveryLine(delivery, atMs),
			);
			taken++;
			if (taken === count) onEnough();
			return true;
		},
		onRefused: (why: string): void => {
			if (isJson) process.stdout.write(`${JSON.stringify({type: 'refused', atMs: Date.now(), why})}\n`);
			else say(`refused: its signature is ${why === 'old' ? 'of another time' : why}\n`);
		},
	};
}

/** Listens for the signals to end and a closed stdout: the webhook must be deleted before the program ends. */
function untilEnd(): {readonly ended: Promise<void>; notify(): void; dispose(): void} {
	const {promise: ended, resolve} = Promise.withResolvers<void>();
	const notify = () => {
		resolve();
		setTimeout(() => process.exit(0), DELETE_TIMEOUT_MS + STUCK_AFTER_MS).unref();
	};
	const unlisten = onEndSignal(notify);
	process.stdout.removeAllListeners('error').on('error', notify);
	return {
		ended,
		notify,
		dispose: unlisten,
	};
}
