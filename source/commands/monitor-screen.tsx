import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Client} from '../client/client.ts';
import type {Config} from '../config.ts';
import {findField} from '../contract/fields.ts';
import {explain} from '../errors.ts';
import {createActions} from '../monitor/actions.ts';
import {loadChoices, saveChoices} from '../monitor/choices.ts';
import {type ColumnStart, initialState} from '../monitor/initial-state.ts';
import {openSession, type Session} from '../monitor/session.ts';
import {type MonitorState, VIEWS, type ViewName} from '../monitor/state.ts';
import {viewFailed} from '../monitor/transitions/column.ts';
import {columnChanged, resized, ticked} from '../monitor/transitions/screen.ts';
import {createStore, type Store} from '../store.ts';
import {withoutAnswers} from '../terminal/answer-filter.ts';
import type {Capabilities} from '../terminal/capabilities.ts';
import {type CopyResult, copyToClipboard} from '../terminal/clipboard.ts';
import {type Guard, guardTerminal} from '../terminal/guard.ts';
import {LiveScreen} from '../terminal/live-screen.ts';
import {renderLive} from '../terminal/render-live.tsx';
import {App} from '../ui/app.tsx';
import {dispatch, run} from '../ui/dispatch.ts';
import {keymap} from '../ui/keymap.ts';
import {listenToKeys} from '../ui/listen-to-keys.ts';
import {helpLines, helpPage} from '../ui/modals/help.tsx';
import {createScenes, type Look} from '../ui/scenes.ts';
import {signsFor} from '../ui/signs.ts';
import {createUiActions} from '../ui/ui-actions.ts';
import type {OpenService} from './open-service.ts';

export interface MonitorOptions {
	readonly config: Config;
	readonly service: Promise<OpenService>;
	readonly capabilities: Capabilities;
}

const EXIT_INTERNAL = 70;

/** Runs the monitor until it is left. @returns the exit code */
export async function runMonitor({config, service, capabilities}: MonitorOptions): Promise<number> {
	const look: Look = {signs: signsFor(!capabilities.unicode), thresholds: config.risk};
	const screen = new LiveScreen({stdout: process.stdout, depth: capabilities.depth, isPaced: true});
	const choices = await loadChoices(config.dataDir);
	const store = createStore<MonitorState>(
		initialState({
			size: {columns: screen.columns, rows: screen.rows},
			nowMs: Date.now(),
			theme: themeOf(config),
			readOnly: config.readOnly,
			service: serviceWords(config),
			columns: columnStarts(config),
			choices: config.ui.theme === 'auto' ? choices : {pins: choices.pins, hidden: choices.hidden},
		}),
	);
	const scenes = createScenes(look);
	const running: {client?: Client; session?: Session; service?: OpenService} = {};
	let guard: Guard | undefined;
	let leave: (code: number) => void = () => {};
	const left = new Promise<number>(resolve => {
		leave = resolve;
	});

	const actions = createActions(store, {
		client: () => running.client,
		session: () => running.session,
		copy: async text => copyWords(await copyToClipboard(text, {capabilities, send: sequence => screen.send(sequence)})),
		saveChoices: state => void saveChoices(config.dataDir, state).catch(() => {}),
		suspend: () => guard?.suspend(),
		redraw: () => screen.repaint(),
		quit: () => leave(0),
		nowMs: Date.now,
	});
	const ui = createUiActions(
		store,
		actions,
		{
			detail: () => {
				const page = scenes.layout(store.get()).bodyHeight;
				return {page, max: scenes.detailHeight(store.get()) - page};
			},
			help: () => {
				const {columns, rows} = store.get().size;
				const page = helpPage(rows);
				return {page, max: Math.max(helpLines(columns, !capabilities.unicode, look.signs).length - page, 0)};
			},
			ascii: () => !capabilities.unicode,
		},
		id => {
			const binding = keymap.find(candidate => candidate.id === id);
			if (binding) run(binding, store.get(), verbs);
		},
	);
	const verbs = {...actions, ...ui};

	const close = async (): Promise<void> => {
		clearInterval(ticking);
		store.close();
		running.session?.close();
		await running.client?.close();
		await (running.service ?? (await service.catch(() => undefined)))?.close();
	};
	guard = guardTerminal({
		screen,
		stdin: process.stdin,
		onEnd: close,
		onCrash: error => reportCrash(config.dataDir, error),
	});
	screen.enter();
	const app = renderLive(<App store={store} scenes={scenes} look={look} />, {screen});
	const stopKeys = listenToKeys(withoutAnswers(process.stdin, screen.pacer), event =>
		dispatch(event, store.get(), verbs),
	);
	screen.on('resize', () => store.apply(state => resized(state, {columns: screen.columns, rows: screen.rows})));
	const ticking = setInterval(() => store.apply(state => ticked(state, Date.now())), 1000);
	void connect(store, service, running);

	try {
		return await Promise.race([left, app.waitUntilExit().then(() => 0)]);
	} catch (error) {
		// What is thrown while React renders comes out here, not at the guard.
		screen.restore();
		reportCrash(config.dataDir, error);
		return EXIT_INTERNAL;
	} finally {
		stopKeys();
		app.unmount();
		screen.restore();
		await screen.quiet();
		await close();
		guard.release();
	}
}

/** Brings in the client once the service is there; a service that can't start is said in every column. */
async function connect(
	store: Store<MonitorState>,
	service: Promise<OpenService>,
	running: {client?: Client; session?: Session; service?: OpenService},
): Promise<void> {
	try {
		const [{createClient}, opened] = await Promise.all([import('../client/create-client.ts'), service]);
		running.service = opened;
		running.client = createClient(opened.options);
		running.session = openSession(store, running.client);
	} catch (error) {
		const problem = explain(error);
		store.apply(state =>
			VIEWS.reduce((next, view) => columnChanged(next, view, column => viewFailed(column, problem)), state),
		);
	}
}

function copyWords(result: CopyResult): string {
	if (!result.sent)
		return result.why === 'too-long'
			? 'too long for the clipboard.'
			: 'this terminal has no clipboard to reach; select it with the mouse.';
	return {
		osc52: 'sent to the clipboard of your terminal.',
		tmux: 'copied through tmux.',
		passthrough: 'sent to your terminal through the multiplexer.',
	}[result.route];
}

function serviceWords({service}: Config): MonitorState['service'] {
	return service.baseUrl === undefined
		? {label: 'embedded service', embedded: true}
		: {label: new URL(service.baseUrl).host, embedded: false};
}

/** `COLORFGBG` is the one thing that terminals say about their background without being asked. */
function themeOf({ui}: Config): string {
	if (ui.theme !== 'auto') return ui.theme;
	const background = Number(process.env['COLORFGBG']?.split(';').at(-1));
	return background === 7 || background === 15 ? 'light' : 'dark';
}

function columnStarts({columns}: Config): Readonly<Partial<Record<ViewName, ColumnStart>>> {
	return Object.fromEntries(
		VIEWS.map(view => {
			const {sort, filter, limit} = columns[view];
			const [word = '', direction] = sort?.split(' ') ?? [];
			const sortBy = findField(word)?.name;
			return [
				view,
				{
					...(sortBy && {sortBy}),
					...(direction === 'asc' && {sortOrder: 'asc' as const}),
					...(filter !== undefined && {filter}),
					limit,
				},
			];
		}),
	);
}

/** What went wrong, for the person and for a report: in words on stderr, whole in a file. Neither holds a key. */
function reportCrash(dataDir: string, error: unknown): void {
	const {what, why, advice} = explain(error);
	const file = join(dataDir, `crash-${new Date().toISOString().replaceAll(':', '-')}.txt`);
	let kept = '';
	try {
		mkdirSync(dataDir, {recursive: true, mode: 0o700});
		writeFileSync(file, `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`, {mode: 0o600});
		kept = `\nThe details are in ${file}`;
	} catch {
		// A full or read-only disk must not hide the message itself.
	}
	process.stderr.write(`pulsetop: ${what}: ${why}\n${advice}${kept}\n`);
}
