import type {Config} from '../config.ts';
import {detectCapabilities} from '../terminal/capabilities.ts';
import {refuseMeaningless} from './config-meaning.ts';
import {openService} from './open-service.ts';

/**
 * The live monitor. The service starts, the screen is loaded and the first frame is drawn side by side: nobody waits for
 * anybody who is not needed.
 * @returns the exit code
 */
export async function monitor(config: Config): Promise<number> {
	await refuseMeaningless(config);
	const service = openService(config);
	// Whoever awaits it first hears of a failure; until then it is not an unhandled one.
	service.catch(() => {});
	const capabilities = detectCapabilities({
		env: process.env,
		isTTY: Boolean(process.stdout.isTTY),
		platform: process.platform,
		color: config.ui.color,
		ascii: config.ui.ascii,
	});
	if (config.ui.plain) {
		const {runPlainMonitor} = await import('./plain-monitor.ts');
		return runPlainMonitor(config, service, capabilities);
	}
	// Ink's colours pass through the live screen, which brings them down to what the terminal can show.
	process.env['FORCE_COLOR'] = '3';
	// Both together make Node warn on stderr.
	delete process.env['NO_COLOR'];
	const {runMonitor} = await import('./monitor-screen.tsx');
	return runMonitor({config, service, capabilities});
}
