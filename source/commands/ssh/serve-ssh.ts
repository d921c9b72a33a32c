import {watchFile} from 'node:fs';
import {readFile} from 'node:fs/promises';
import manifest from '../../../package.json' with {type: 'json'};
import {createClient} from '../../client/create-client.ts';
import {feedsThrough, openFeedThread} from '../../client/remote/open-feed-thread.ts';
import {shareClient} from '../../client/shared/shared-client.ts';
import type {Config} from '../../config/config.ts';
import {listenWords} from '../../connection-words.ts';
import {explain, PulsetopError} from '../../errors.ts';
import {fileProblem} from '../../file-problem.ts';
import {isLoopback} from '../../loopback.ts';
import {NO_CHOICES} from '../../monitor/choices.ts';
import type {Start} from '../../monitor/initial-state.ts';
import {NO_COMMANDS} from '../../monitor/user-commands.ts';
import {type HostKey, ownHostKey, readHostKey} from '../../ssh/host-key.ts';
import type {Identity} from '../../ssh/login.ts';
import {trustedProxies} from '../../ssh/proxy-protocol.ts';
import {createSshServer, type ViewerLimits} from '../../ssh/ssh-server.ts';
import type {Ended} from '../../ssh/transport.ts';
import {admissionOf, readViewers, type ViewersFile} from '../../ssh/viewers-file.ts';
import {keepVisitorChoices} from '../../ssh/visitor-choices.ts';
import {steadyNow} from '../../steady-clock.ts';
import {clean} from '../../text.ts';
import {startOf} from '../config/start.ts';
import {UsageError} from '../line/usage-error.ts';
import {reportCrash} from '../monitor/crash-report.ts';
import {print} from '../output/output.ts';
import {onEndSignal} from '../process/end-signals.ts';
import {keepHeapsSmall} from '../process/small-heaps.ts';
import {readSecretFile} from '../serve/secret-file.ts';
import {followOf} from '../service/followed.ts';
import {openService} from '../service/open-service.ts';
import {count, metricsAddress, newCounts, serveMetrics} from './metrics.ts';
import {runWords} from './words.ts';

/** Options of `pulsetop serve-ssh`. */
export interface ServeSshOptions {
	readonly config: Config;
	readonly host: string;
	readonly port: number;
	/** Everybody may come. */
	readonly isOpen: boolean;
	/** A file of the keys that may come. */
	readonly viewersFile: string | undefined;
	/** A file with the private host key (default one of the data directory, made at the first start). */
	readonly hostKeyFile: string | undefined;
	/** The name of the market on the screens. */
	readonly title: string | undefined;
	readonly limits: ViewerLimits;
	readonly drainSeconds: number;
	/** Networks of balancers that say who comes. */
	readonly proxies: readonly string[];
	/** Where figures are served: `127.0.0.1:9090`. */
	readonly metrics: string | undefined;
}

/** The address can't be listened on. */
class SshNotStarted extends PulsetopError {
	readonly code = 'ssh-not-started';
}

/** Listens on every address of the machine. */
const ANY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
/** The exit code of a program that SIGTERM ended. */
const SECOND_SIGNAL = 143;
/** How often the file of keys is looked at, ms. */
const WATCH_MS = 2000;

/**
 * Serves the live monitor over SSH until a signal to end; a second one ends the process at once. Prints the address and the
 * fingerprint of the host key when it listens, and a line on stderr for each connection that ends.
 * @returns exit code 0 after a clean stop
 * @throws UsageError, HostKeyUnusable, SshNotStarted, ServiceNotStarted
 */
export async function serveSsh(options: ServeSshOptions): Promise<number> {
	const {config, host, port, title, limits, drainSeconds} = options;
	const metrics = options.metrics === undefined ? undefined : metricsAddress(options.metrics);
	const {viewersFile, isOpen} = options;
	const proxies = options.proxies.length === 0 ? undefined : trustedProxies(options.proxies);
	if (typeof proxies === 'string')
		throw new UsageError(`--proxy-protocol ${proxies} can't be used`, 'Write an address or a network: 10.0.0.0/8.');
	if (!isOpen && viewersFile === undefined && !isLoopback(host))
		throw new UsageError(
			`--host ${host} needs --open or --viewers`,
			'Other machines reach this address: --open lets everybody in, --viewers FILE only the keys of a file.',
		);
	keepHeapsSmall('many');
	// Ink writes all colours, and each screen brings them down to those of its terminal.
	process.env['FORCE_COLOR'] = '3';
	delete process.env['NO_COLOR'];
	// Viewers sit in many zones.
	process.env['TZ'] = 'UTC';
	// Ink has a listener for the end of the process in each screen.
	process.setMaxListeners(0);
	let isStopping = false;
	const stopped = new Promise<void>(resolve => {
		// The listener stays: where nobody else listens, Ink ends the process by the same signal.
		onEndSignal(() => {
			if (isStopping) process.exit(SECOND_SIGNAL);
			isStopping = true;
			resolve();
		});
	});
	const log = (text: string): void => void process.stderr.write(`${new Date().toISOString()} ${text}\n`);
	const onFault = (error: unknown): void => {
		const {what, why} = explain(error);
		log(`error: ${what}: ${why}`);
		if (!(error instanceof PulsetopError) && error instanceof Error) log(error.stack ?? error.message);
	};
	const hostKey = hostKeyOf(options.hostKeyFile, config.dataDir);
	const listed = viewersFile === undefined ? undefined : await followViewers(viewersFile, log);
	// The thread of an embedded service reads the feeds, too; its death ends the process: the screens would show old rows as live.
	const isEmbedded = config.service.baseUrl === undefined || followOf(config) !== undefined;
	const feeds = isEmbedded ? new MessageChannel() : undefined;
	const service = await openService(config, {dataDir: config.dataDir, beside: feeds?.port2});
	const client = createClient(service.options, feeds ? feedsThrough(feeds.port1) : openFeedThread());
	const choices = keepVisitorChoices(config.dataDir, fingerprint => listed?.().keys.get(fingerprint)?.name, onFault);
	// One object for all screens: those with the same settings share their painted rows.
	const configured: Start = {
		...startOf(config, NO_CHOICES, {columns: 80, rows: 24}),
		service: shownService(config, title),
		readOnly: true,
		commands: NO_COMMANDS,
	};
	const start = (from: Pick<Start, 'size' | 'theme' | 'visit' | 'choices'>): Start => ({
		...configured,
		...from,
		theme: config.ui.theme === 'auto' ? from.theme : configured.theme,
		nowMs: steadyNow(),
	});
	const shared = shareClient(client);
	const counts = newCounts();
	const server = createSshServer({
		hostKey: hostKey.text,
		admission: admissionOf(isOpen || viewersFile === undefined, listed, Date.now),
		client: shared,
		settings: config.ui,
		limits,
		start,
		choicesOf: identity => choices.of(identity),
		runWords: (exec, mayLookUp) =>
			runWords(exec, {config, client: shared.forViewer(mayLookUp), version: manifest.version, choices}),
		onEnd: ended => {
			count(counts.ended, ended.end);
			if (ended.identity) count(counts.logins, ended.identity.kind);
			counts.bytes += ended.bytes;
			log(endLine(ended));
		},
		proxies,
		onRefused: limit => count(counts.refused, limit),
		onFault,
		onFatal: error => {
			reportCrash(config.dataDir, error);
			process.exit(70);
		},
	});
	const gauges = () => ({viewers: server.viewers, views: shared.views, isDraining: isStopping});
	const figures = metrics && (await serveMetrics(metrics, counts, gauges));
	const listening = await server.listen(host, port).catch(error => {
		throw new SshNotStarted(`${host}:${port} can't be listened on`, {
			why: listenWords(error, port),
			next: 'fix-input',
			advice: 'Give another --port, or end the program that listens there.',
		});
	});
	// People can't connect to the address that stands for all.
	const named = ANY_ADDRESS.has(host) ? 'HOST' : host;
	const where = listening === 22 ? named : `-p ${listening} ${named}`;
	await print(`listening on ${host}:${listening}, host key ${hostKey.fingerprint}\n`);
	await print(`ssh ${where}\n`);
	if (figures) await print(`metrics on http://${metrics!.host}:${figures.port}/metrics\n`);
	await stopped;
	await server.drain(drainSeconds * 1000, `pulsetop: restarting, connect again: ssh ${where}`);
	await server.close();
	figures?.close();
	await service.close();
	return 0;
}

function hostKeyOf(file: string | undefined, dataDir: string): HostKey {
	return file === undefined ? ownHostKey(dataDir) : readHostKey(`${readSecretFile('--host-key', file)}\n`, file);
}

/** The market as the screens name it: never by an address of the operator. */
function shownService(config: Config, title: string | undefined): Start['service'] {
	const label = title === undefined ? undefined : clean(title, {maxCells: 40});
	const follow = followOf(config);
	if (follow) return {label: label ?? '', embedded: false, follow: {names: follow.chains.map(({name}) => name)}};
	if (config.service.baseUrl === undefined) return {label: label ?? 'simulated market', embedded: true};
	return {label: label ?? '', embedded: false};
}

/** Reads a file of keys, and again when it changes. A file that can't be read any more leaves the keys as they were. */
async function followViewers(path: string, log: (text: string) => void): Promise<() => ViewersFile> {
	const read = async (): Promise<ViewersFile> => {
		const file = readViewers(await readFile(path, 'utf8'));
		for (const problem of file.problems) log(`--viewers ${path}, ${problem}: that key may not come`);
		return file;
	};
	let current = await read().catch(error => {
		throw new UsageError(`--viewers ${path} can't be read`, `${fileProblem(error)}.`);
	});
	watchFile(path, {interval: WATCH_MS, persistent: false}, async () => {
		try {
			current = await read();
			log(`--viewers ${path}: ${current.keys.size} keys may come`);
		} catch (error) {
			log(`--viewers ${path} can't be read (${fileProblem(error)}): the keys stay as they were`);
		}
	});
	return () => current;
}

/** The line of the log for a connection that is over. */
function endLine({address, identity, client, term, seconds, bytes, end}: Ended): string {
	const who = nameOf(identity);
	const how = [term, client].filter(text => text !== '').join(', ');
	return `${address} ${who}${how === '' ? '' : ` (${how})`} ${seconds.toFixed(1)} s, ${bytes} bytes: ${end}`;
}

function nameOf(identity: Identity | undefined): string {
	if (identity === undefined) return 'not logged in';
	return identity.kind === 'guest' ? 'guest' : `${identity.name} ${identity.fingerprint}`;
}
