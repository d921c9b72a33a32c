import type {MessagePort} from 'node:worker_threads';
import type {Config} from '../../config/config.ts';
import {backgroundQuery} from '../../terminal/background.ts';
import {detectCapabilities} from '../../terminal/capabilities.ts';
import type {ShownRecording} from '../config/start.ts';
import {followOf} from '../service/followed.ts';
import {type OpenService, openService} from '../service/open-service.ts';

/** How the configuration is read again while the monitor runs, flags included. @throws ConfigError */
type ReadConfig = () => Promise<Config>;

/** A recording that is shown instead of the configured service. */
export interface Replay {
	readonly open: (beside: MessagePort | undefined) => Promise<OpenService>;
	readonly recording: ShownRecording;
}

/**
 * Runs the live monitor. The service starts while the screen loads and draws its first frame.
 * @param readConfig reads the configuration again, as it was read at the start
 * @param replay a recording, in place of the service
 * @returns the exit code
 */
export async function monitor(config: Config, readConfig: ReadConfig, replay?: Replay): Promise<number> {
	// Without a configuration file nothing is loaded before the service starts.
	if (config.file.values.size > 0) await (await import('../config/meaning.ts')).assertMeaningful(config);
	// A terminal without cursor addressing can't show a screen, but it can show lines.
	const isPlain = config.ui.plain || process.env['TERM'] === 'dumb';
	// The thread of an embedded service reads the feeds, too.
	const isEmbedded = replay !== undefined || config.service.baseUrl === undefined || followOf(config) !== undefined;
	const feeds = isEmbedded && !isPlain ? new MessageChannel() : undefined;
	const service = replay
		? replay.open(feeds?.port2)
		: openService(config, {dataDir: config.dataDir, beside: feeds?.port2});
	const recording = replay?.recording;
	// A failure is handled where the promise is awaited; until then Node must not call it unhandled.
	service.catch(() => {});
	const capabilities = detectCapabilities({
		env: process.env,
		isTTY: Boolean(process.stdout.isTTY),
		platform: process.platform,
		color: config.ui.color,
		// Lines and marks would be two cells wide.
		ascii: config.ui.ascii || config.ui.ambiguousWidth === 'wide',
	});
	if (isPlain) {
		const {runPlainMonitor} = await import('./plain.ts');
		return runPlainMonitor({config, readConfig, service, capabilities, recording});
	}
	// The live screen reduces the colours of Ink to those of the terminal.
	process.env['FORCE_COLOR'] = '3';
	// Both together make Node warn on stderr.
	delete process.env['NO_COLOR'];
	// Sent before the screen loads, so that a local terminal has responded by then. Raw mode keeps the response off the screen.
	if (config.ui.theme === 'auto' && capabilities.ignoresUnknown && process.stdin.isTTY) {
		process.stdin.setRawMode(true);
		process.stdout.write(backgroundQuery(capabilities));
	}
	const {runMonitor} = await import('./screen.ts');
	return runMonitor({config, readConfig, service, capabilities, recording, feeds: feeds?.port1});
}
