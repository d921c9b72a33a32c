import type {MessagePort} from 'node:worker_threads';
import type {Config} from '../config/config.ts';
import {backgroundQuery} from '../terminal/background.ts';
import {detectCapabilities} from '../terminal/capabilities.ts';
import type {ShownRecording} from './monitor-start.ts';
import {type OpenService, openService} from './open-service.ts';

/** How the configuration is read again while the monitor runs, flags included. @throws ConfigError */
type ReadConfig = () => Promise<Config>;

/** What is shown instead of the configured service. */
export interface Replay {
	readonly open: (beside: MessagePort | undefined) => Promise<OpenService>;
	readonly recording: ShownRecording;
}

/**
 * The live monitor. The service starts, the screen is loaded and the first frame is drawn side by side: nobody waits for
 * anybody who is not needed.
 * @param readConfig reads the configuration again, as it was read at the start
 * @param replay a recording, in place of the service
 * @returns the exit code
 */
export async function monitor(config: Config, readConfig: ReadConfig, replay?: Replay): Promise<number> {
	// Nothing is loaded before the service has been started, where nothing was configured.
	if (config.file.values.size > 0) await (await import('./config/meaning.ts')).refuseMeaningless(config);
	// A terminal without cursor addressing can't show a screen, but it can show lines.
	const isPlain = config.ui.plain || process.env['TERM'] === 'dumb';
	// Beside a service of our own the feeds of the screen are read as well.
	const isOwn = replay !== undefined || config.service.baseUrl === undefined;
	const feeds = isOwn && !isPlain ? new MessageChannel() : undefined;
	const service = replay
		? replay.open(feeds?.port2)
		: openService(config, {dataDir: config.dataDir, beside: feeds?.port2});
	const recording = replay?.recording;
	// Whoever awaits it first hears of a failure; until then it is not an unhandled one.
	service.catch(() => {});
	const capabilities = detectCapabilities({
		env: process.env,
		isTTY: Boolean(process.stdout.isTTY),
		platform: process.platform,
		color: config.ui.color,
		// Our own lines and marks would be two cells wide.
		ascii: config.ui.ascii || config.ui.ambiguousWidth === 'wide',
	});
	if (isPlain) {
		const {runPlainMonitor} = await import('./plain-monitor.ts');
		return runPlainMonitor({config, readConfig, service, capabilities, recording});
	}
	// Ink's colours pass through the live screen, which brings them down to what the terminal can show.
	process.env['FORCE_COLOR'] = '3';
	// Both together make Node warn on stderr.
	delete process.env['NO_COLOR'];
	// Asked before the screen is loaded: a terminal nearby has answered when it is. Raw mode keeps the answer off the screen.
	if (config.ui.theme === 'auto' && capabilities.ignoresUnknown && process.stdin.isTTY) {
		process.stdin.setRawMode(true);
		process.stdout.write(backgroundQuery(capabilities));
	}
	const {runMonitor} = await import('./monitor-screen.tsx');
	return runMonitor({config, readConfig, service, capabilities, recording, feeds: feeds?.port1});
}
