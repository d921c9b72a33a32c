import {spawn} from 'node:child_process';
import {mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type IncomingMessage, request, type ServerResponse} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {setTimeout as sleep} from 'node:timers/promises';
import {concatHex, type Hex, keccak256} from 'viem';
import type {Client, ClientOptions} from '../../source/client/client.ts';
import {createClient} from '../../source/client/create-client.ts';
import {createJsonRpc, type JsonRpc} from '../../source/rpc/json-rpc.ts';
import {openKeystore} from '../../source/trading/keystore.ts';
import {fundPracticeWallet, listPracticeChains} from '../../source/trading/practice-funds.ts';
import {type Left, runHere, withSecret} from './commands-here.ts';
import {filesUnder} from './files-under.ts';
import {listenOnLoopback} from './loopback.ts';
import {CLI, type Outcome, startServe} from './program.ts';
import {isolatedEnvironment, type Pty, withPty} from './pty.ts';

/** Money commands in a home of their own, with everything they print kept. */
export interface MoneyHome {
	readonly dataDir: string;
	/** Runs `pulsetop` with pipes. */
	run(args: readonly string[], options?: RunOptions): Promise<Outcome>;
	/**
	 * Runs a command in this process, which takes a third of the time, and gives its exit code and the JSON that it printed. With
	 * another clock, or more secrets than one, it runs `pulsetop`.
	 */
	document(args: readonly string[], options?: RunOptions): Promise<{readonly code: number | null; readonly json: Any}>;
	/** The JSON of a command. Fails when the exit code is another. */
	json<T = Any>(args: readonly string[], options?: RunOptions & {code?: number}): Promise<T>;
	/**
	 * Puts a wallet for real money there, as `wallet import` does, with a passphrase that costs nothing to check: at the cost of
	 * the program's own wallets each opening takes two thirds of a second of CPU.
	 */
	wallet(name: string, key: string, passphrase: string): Promise<void>;
	/** Runs lines of a shell in the home, in which `pulsetop` is a command, up to the first that fails. */
	shell(lines: string): Promise<Outcome>;
	/** The same in a terminal. */
	inTerminal<T>(args: readonly string[], story: (pty: Pty) => Promise<T>): Promise<T>;
	/** Everything that was ever printed, and every file. */
	everything(): readonly Buffer[];
	remove(): void;
}

interface RunOptions {
	/** The bytes on descriptors 3, 4, ... */
	readonly fds?: readonly string[];
	/** How far ahead the clock of the program is, ms. */
	readonly clockMs?: number;
	readonly onStart?: (pid: number) => void;
}

/** The service takes 200 requests a second of an address: commands that follow one another in this process would exceed that. */
const COMMAND_EVERY_MS = 250;

const SHIFTED_CLOCK = new URL('./shifted-clock.ts', import.meta.url).pathname;

// biome-ignore lint/suspicious/noExplicitAny: documents of the program, looked into by tests
export type Any = any;

/** @param config text of the configuration file */
export function openMoneyHome(config = ''): MoneyHome {
	const home = mkdtempSync(join(tmpdir(), 'pulsetop-money-'));
	const dataDir = join(home, 'data', 'pulsetop');
	mkdirSync(join(home, 'config', 'pulsetop'), {recursive: true});
	writeFileSync(join(home, 'config', 'pulsetop', 'config.toml'), config);
	const printed: Buffer[] = [];
	const env = isolatedEnvironment(home);

	async function run(args: readonly string[], {fds = [], clockMs, onStart}: RunOptions = {}) {
		const child = spawn(process.execPath, [CLI, ...args], {
			stdio: ['ignore', 'pipe', 'pipe', ...fds.map(() => 'pipe' as const)],
			env: {
				...env,
				...(clockMs !== undefined && {NODE_OPTIONS: `--import ${SHIFTED_CLOCK}`, PULSETOP_TEST_CLOCK: String(clockMs)}),
			},
			detached: true,
		});
		onStart?.(child.pid!);
		for (const [at, bytes] of fds.entries()) {
			const pipe = child.stdio[at + 3] as NodeJS.WritableStream;
			// A program that refuses before it reads leaves the pipe broken.
			pipe.on('error', () => {});
			pipe.end(bytes);
		}
		const chunks: Record<'stdout' | 'stderr', Buffer[]> = {stdout: [], stderr: []};
		for (const name of ['stdout', 'stderr'] as const)
			child[name]!.on('data', (chunk: Buffer) => chunks[name].push(chunk));
		const outcome = await new Promise<{code: number | null; signal: NodeJS.Signals | null}>((resolve, reject) => {
			child.on('error', reject);
			child.on('close', (code, signal) => resolve({code, signal}));
		});
		printed.push(...chunks.stdout, ...chunks.stderr);
		return {...outcome, stdout: String(Buffer.concat(chunks.stdout)), stderr: String(Buffer.concat(chunks.stderr))};
	}

	async function document(args: readonly string[], options: RunOptions = {}) {
		const {clockMs, onStart, fds = []} = options;
		const line = [...args, '--json'];
		const isProcess = clockMs !== undefined || onStart !== undefined || fds.length > 1;
		const {code, stdout, stderr} = await (isProcess ? run(line, options) : here(line, fds[0]));
		return {code, json: JSON.parse(stdout === '' ? stderr : stdout)};
	}

	let nextMs = 0;

	/** @param secret what is on the descriptor that a flag names */
	async function here(args: readonly string[], secret: string | undefined): Promise<Left> {
		const atMs = Math.max(nextMs, performance.now());
		nextMs = atMs + COMMAND_EVERY_MS;
		await sleep(atMs - performance.now());
		const flag = args.findIndex(arg => arg.endsWith('-fd'));
		const left =
			secret === undefined || flag < 0
				? await runHere(home, ...args)
				: await withSecret(home, secret, fd => runHere(home, ...args.with(flag + 1, fd)));
		printed.push(Buffer.from(left.stdout), Buffer.from(left.stderr));
		return left;
	}

	const shell = (lines: string) =>
		new Promise<Outcome>((resolve, reject) => {
			const script = `pulsetop() { "$NODE" "$CLI" "$@"; }\n${lines}`;
			const child = spawn('/bin/sh', ['-c', script], {cwd: home, env: {...env, NODE: process.execPath, CLI}});
			const said = {stdout: '', stderr: ''};
			for (const name of ['stdout', 'stderr'] as const)
				child[name].on('data', (chunk: Buffer) => {
					said[name] += chunk;
				});
			child.on('error', reject);
			child.on('close', (code, signal) => resolve({code, signal, ...said}));
		});

	return {
		dataDir,
		run,
		shell,
		async wallet(name, key, passphrase) {
			const keystore = openKeystore(join(dataDir, 'trading'), 'real', {cost: 1024});
			await keystore.importKey(name, Buffer.from(key), Buffer.from(passphrase));
		},
		document,
		async json(args, {code = 0, ...options} = {}) {
			const left = await document(args, options);
			if (left.code !== code) throw new Error(`exit code ${left.code}, not ${code}: ${JSON.stringify(left.json)}`);
			return left.json;
		},
		inTerminal: (args, story) =>
			withPty({args: [CLI, ...args], env, columns: 140, rows: 70}, async pty => {
				try {
					return await story(pty);
				} finally {
					printed.push(pty.bytes());
				}
			}),
		everything: () => [...printed, ...filesUnder(home).values()],
		remove: () => rmSync(home, {recursive: true, force: true}),
	};
}

/** `pulsetop serve` with its chains, as a service for real money: what a program configures to reach it. */
export interface MoneyService {
	readonly url: string;
	readonly dataDir: string;
	readonly client: Client;
	/** Contracts of a chain by name. */
	contracts(chainId: string): Readonly<Record<string, string>>;
	/** Test tokens and coins for any account. */
	fund(chainId: string, address: string): Promise<void>;
	/**
	 * Asks the node of a practice chain itself, past the service: it mines, or not, and takes blocks back. The chain has to run.
	 * @param method of JSON-RPC: `evm_setAutomine`, `anvil_reorg`, ...
	 */
	node<T = Any>(chainId: string, method: string, params?: readonly unknown[]): Promise<T>;
	/**
	 * Configuration of a program that uses it, at its own address or another that leads to it.
	 * @param wallet more lines of [wallet]
	 * @param nodesUrl the address through which the nodes are reached
	 */
	config(baseUrl?: string, wallet?: string, nodesUrl?: string): string;
	stop(): Promise<void>;
}

/** @param dataDir its data directory; programs with the same one practise with it, all others take it for real */
export async function startMoneyService(
	dataDir = mkdtempSync(join(tmpdir(), 'pulsetop-serve-')),
): Promise<MoneyService> {
	// Its sockets to the nodes are there; the path of a socket has to be short.
	const runDir = mkdtempSync('/tmp/pt-');
	const args = ['--no-auth', '--seed', '7', '--rate', '0.1', '--data-dir', dataDir];
	const serve = await startServe(args, {TMPDIR: runDir});
	const nodes = new Map<string, JsonRpc>();
	const nodeOf = (chainId: string) => {
		const number = chainId.replace('evm:', '');
		const known = nodes.get(number);
		if (known) return known;
		const socket = readdirSync(runDir, {recursive: true, encoding: 'utf8'}).find(
			file => file.startsWith('pulsetop-run-') && file.split('/').at(-1)!.startsWith(`${number}-`),
		);
		if (socket === undefined) throw new Error(`${chainId} does not run, or cannot be reached`);
		const rpc = createJsonRpc(() => `ipc:${join(runDir, socket)}`);
		nodes.set(number, rpc);
		return rpc;
	};
	const options: ClientOptions = {baseUrl: serve.url, streamUrl: null};
	const client = createClient(options);
	const chains = await listPracticeChains({baseUrl: serve.url});
	const contracts = (chainId: string) => chains.find(chain => chain.chainId === chainId)!.contracts;
	return {
		url: serve.url,
		dataDir,
		client,
		contracts,
		async fund(chainId, address) {
			for (const token of ['native', contracts(chainId)['usdc']!]) {
				await fundPracticeWallet({baseUrl: serve.url, chainId, address, token});
			}
		},
		node: (chainId, method, params = []) => nodeOf(chainId).call(method, params),
		config: (baseUrl = serve.url, wallet = '', nodesUrl = serve.url) =>
			[
				`[service]\nbase-url = "${baseUrl}"`,
				`[wallet]\n${wallet}\ntokens = [${chains.map(({chainId, contracts: all}) => `"${chainId}:${all['usdc']}"`).join(', ')}]`,
				'[rpc]',
				...chains.map(({chainId}) => `"${chainId}" = "${nodesUrl}/dev/rpc/${encodeURIComponent(chainId)}"`),
			].join('\n'),
		async stop() {
			await client.close();
			for (const rpc of nodes.values()) await rpc.close();
			await serve.stop();
			for (const directory of [dataDir, runDir]) rmSync(directory, {recursive: true, force: true});
		},
	};
}

/** Answers each question of a command at a terminal as it comes, any number of times, until a text is there. */
export async function answerUntil(
	pty: Pty,
	end: string,
	answers: readonly (readonly [question: RegExp, answer: string | (() => string)])[],
): Promise<void> {
	const asked = () => answers.find(([question]) => question.test(pty.screenText().trimEnd()));
	for (;;) {
		await pty.waitFor(screen => screen.text().includes(end) || asked() !== undefined);
		if (pty.screenText().includes(end)) return;
		const [question, answer] = asked()!;
		pty.type(typeof answer === 'string' ? answer : answer());
		await pty.waitFor(screen => !question.test(screen.text().trimEnd()));
	}
}

/** A proxy in front of a service, which counts requests and can hold responses back. */
export interface Door {
	readonly url: string;
	/** `METHOD /path` of each request, oldest first. */
	readonly asked: string[];
	/** What becomes of a request and its response: passed on, held back for good, or answered here with a status or with JSON. */
	onAnswer: (path: string) => 'pass' | 'keep' | number | Readonly<Record<string, unknown>>;
	/** The status sent in place of the service's response: the service has done its part. */
	onReply: (path: string) => number | undefined;
	/** What a JSON document of the service becomes on its way; undefined: all pass as they are. */
	change: ((path: string, document: Any) => Any) | undefined;
	/** Called when a response was held back: the service has done its part. */
	onKept: (path: string) => void;
	close(): Promise<void>;
}

export async function openDoor(serviceUrl: string): Promise<Door> {
	const {hostname, port} = new URL(serviceUrl);
	const pass = (from: IncomingMessage, to: ServerResponse) => {
		const path = from.url!.split('?')[0]!;
		door.asked.push(`${from.method} ${path}`);
		const verdict = door.onAnswer(path);
		if (typeof verdict === 'number') {
			refuse(to, verdict);
			return;
		}
		if (typeof verdict === 'object') {
			sendJson(to, verdict);
			return;
		}
		const {method, url} = from;
		// What is changed has to be readable.
		const {'accept-encoding': _, ...headers} = from.headers;
		const onward = request({hostname, port, method, path: url, headers}, response => {
			const status = door.onReply(path);
			if (status !== undefined) {
				response.resume().on('end', () => refuse(to, status));
				return;
			}
			if (verdict === 'keep') {
				response.resume().on('end', () => door.onKept(path));
				return;
			}
			if (door.change === undefined) {
				to.writeHead(response.statusCode!, response.headers);
				response.pipe(to);
				return;
			}
			void text(response).then(body => {
				const {'content-length': _, ...headers} = response.headers;
				to.writeHead(response.statusCode!, headers);
				to.end(JSON.stringify(door.change!(path, JSON.parse(body))));
			});
		});
		onward.on('error', () => to.destroy());
		from.pipe(onward);
	};
	const server = createServer(pass);
	const {url, close} = await listenOnLoopback(server);
	const door: Door = {
		url,
		asked: [],
		onAnswer: () => 'pass',
		onReply: () => undefined,
		change: undefined,
		onKept: () => {},
		close,
	};
	return door;
}

/**
 * A node of a real chain in front of a practice chain: calls of no contract find code at other addresses, as on the real chain.
 * @param codes code by address; may change
 */
export async function openNode(rpcUrl: string, codes: Record<string, string>): Promise<Pick<Door, 'url' | 'close'>> {
	const server = createServer(async (from, to) => {
		const call = JSON.parse(await text(from));
		if (call.method === 'eth_call' && call.params[0].to === undefined) {
			const overrides = Object.entries(codes).map(([address, code]) => [address, {code}]);
			call.params[2] = Object.fromEntries(overrides);
		}
		const response = await fetch(rpcUrl, {
			method: 'POST',
			headers: {'content-type': 'application/json'},
			body: JSON.stringify(call),
		});
		to.writeHead(response.status, {'content-type': 'application/json'});
		to.end(await response.text());
	});
	return listenOnLoopback(server);
}

function refuse(to: ServerResponse, status: number): void {
	sendJson(to, {error: 'the door is shut', intentId: ''}, status);
}

function sendJson(to: ServerResponse, json: unknown, status = 200): void {
	to.writeHead(status, {'content-type': 'application/json', date: new Date().toUTCString()});
	to.end(JSON.stringify(json));
}

/** `--accept` flags for contracts that are met for the first time, as a person would give them after comparing. */
export function acceptFlags(contracts: readonly {readonly role: string; readonly fingerprint: string}[]): string[] {
	return contracts.flatMap(({role, fingerprint}) => [
		'--accept',
		`${role.replaceAll(' ', '-')}=${fingerprint.slice(-6)}`,
	]);
}

/** What a contract of a plain kind is accepted by, computed as a person could with other tools. */
export async function fingerprintOf(serviceUrl: string, chainId: string, address: string): Promise<string> {
	const body = {jsonrpc: '2.0', id: 1, method: 'eth_getCode', params: [address, 'latest']};
	const response = await fetch(`${serviceUrl}/dev/rpc/${encodeURIComponent(chainId)}`, {
		method: 'POST',
		headers: {'content-type': 'application/json'},
		body: JSON.stringify(body),
	});
	const {result} = (await response.json()) as {result: Hex};
	return keccak256(concatHex([result, address.toLowerCase() as Hex]));
}
