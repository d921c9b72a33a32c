import {basename} from 'node:path';
import type {Config} from '../../config/config.ts';
import {clean} from '../../text.ts';
import type {Call} from '../line/command.ts';
import {oneOperand} from '../line/operands.ts';
import {withoutFollowing} from '../service/followed.ts';
import type {OpenService} from '../service/open-service.ts';
import {openReplay, readHeader} from './open-replay.ts';

const SPEED = {from: 0.1, to: 1000} as const;
const MAX_NAME = 40;

/**
 * `pulsetop replay FILE`: plays a recording in the monitor; without a terminal, prints the views at the start.
 * @returns the exit code; 1 where the recording is cut off or damaged before the views are whole
 * @throws UsageError; RecordingUnreadable
 */
export async function replay(call: Call): Promise<number> {
	const {flags} = call;
	const path = oneOperand(call.operands, 'FILE');
	const speed = flags.number('speed', SPEED) ?? 1;
	const options = {path, speed, fromMs: flags.duration('from') ?? 0, loops: flags.has('loop')};
	const readConfig = async (): Promise<Config> => replayConfig(await call.readConfig());
	const config = await readConfig();
	const header = await readHeader(path);
	if ((process.stdout.isTTY || flags.has('plain-ui')) && !flags.has('json')) {
		const [{monitor}, {keepHeapsSmall}] = await Promise.all([
			import('../monitor/monitor.ts'),
			import('../process/small-heaps.ts'),
		]);
		keepHeapsSmall();
		const name = clean(basename(path), {maxCells: MAX_NAME});
		return monitor(config, readConfig, {
			open: beside => openReplay(options, header, beside),
			recording: {name, speed, atMs: header.atMs + options.fromMs},
		});
	}
	const [{feed}, {recordingEndText}] = await Promise.all([
		import('../feed/feed.ts'),
		import('../../monitor/transitions/recording.ts'),
	]);
	let playback: OpenService['playback'];
	const code = await feed({...call, readConfig: async () => config}, async () => {
		const service = await openReplay(options, header);
		({playback} = service);
		return service;
	});
	const {phase = 'playing', reason} = playback?.last ?? {};
	if (phase === 'playing' || phase === 'ended') return code;
	process.stderr.write(`pulsetop: ${recordingEndText(phase, reason)}\n`);
	return 1;
}

/**
 * The configuration of a replay: read-only, no alert command runs, and the configured service is not used.
 */
export function replayConfig(config: Config): Config {
	const service = {baseUrl: undefined, streamUrl: undefined, apiKey: undefined};
	return {...withoutFollowing(config), service, readOnly: true, alerts: {...config.alerts, command: []}};
}
