import type {Config} from '../../config/config.ts';
import {PulsetopError} from '../../errors.ts';
import {type AlertRule, readAlertRule} from '../../monitor/alerts/alert-rules.ts';
import {detectCapabilities} from '../../terminal/capabilities.ts';
import {assertMeaningful} from '../config/meaning.ts';
import type {Call} from '../line/command.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {createAlertEffects} from '../monitor/alert-effects.ts';
import {keepHeapsSmall} from '../process/small-heaps.ts';
import {type Interruption, untilInterrupted} from '../process/until-interrupted.ts';
import {followOf} from '../service/followed.ts';
import {openService} from '../service/open-service.ts';
import {buyLine} from '../trade/buy-line.ts';
import {type Hit, hitJson, hitText, type Watch} from './hit.ts';
import {watchRecording} from './watch-recording.ts';
import {watchRules} from './watch-rules.ts';

/** `watch --once` ended without a token that came to match. */
class NothingMatched extends PulsetopError {
	readonly code = 'nothing-matched';

	constructor() {
		super('No token came to match', {why: 'the time was over before one did', next: 'retry-same'});
	}
}

/**
 * `pulsetop watch`: watches alert rules without a screen. Prints a line for each token that begins to match a rule, and
 * rings as configured under `alerts`.
 * @returns the exit code
 * @throws UsageError for a rule that can't be read; NothingMatched; the errors of the client
 */
export async function watch({flags, readConfig}: Call): Promise<number> {
	keepHeapsSmall();
	const recording = flags.text('recording');
	const config = await readConfig();
	await assertMeaningful(config);
	const rules = rulesOf(config, flags);
	const isOnce = flags.has('once');
	const forMs = flags.duration('for');
	const interruption = untilInterrupted();
	const {ring} = createAlertEffects(() => config.alerts, terminalOf(config));
	// Tokens of a recording are of the past.
	const buyOf = ({token}: Hit) => (recording === undefined ? buyLine(token, config.trade) : undefined);
	const print = flags.has('json') ? (hit: Hit) => hitJson(hit, buyOf(hit)) : hitText;
	let hits = 0;
	const watching: Watch = {
		rules,
		ending: interruption.interrupted,
		say: text => process.stderr.write(`pulsetop: ${text}\n`),
		onHits: all => {
			const fresh = isOnce ? all.slice(0, 1) : all;
			hits += fresh.length;
			for (const hit of fresh) process.stdout.write(`${print(hit)}\n`);
			// Hits of the past only stand in the output.
			if (fresh.length > 0 && recording === undefined) ring(fresh.map(({alert}) => alert));
			return isOnce ? 'enough' : 'more';
		},
	};
	try {
		if (recording === undefined) await watchService(config, watching, {interruption, forMs});
		else await watchRecording({...watching, path: recording, forMs});
	} finally {
		interruption.dispose();
	}
	if (isOnce && hits === 0) throw new NothingMatched();
	return 0;
}

async function watchService(
	config: Config,
	watching: Watch,
	{interruption, forMs}: {readonly interruption: Interruption; readonly forMs: number | undefined},
): Promise<void> {
	// Tokens of the past must not ring: the history loads before the rules are watched.
	const service = await openService(config, {dataDir: config.dataDir, history: 'first'});
	try {
		// Half a minute may not be enough for the past of a chain.
		if (followOf(config)) await Promise.race([service.historyLoaded, interruption.interrupted]);
		interruption.startTimer(forMs);
		await watchRules({...watching, service});
	} finally {
		await service.close();
	}
}

/** The rules of the configuration and of the command line. @throws UsageError */
function rulesOf({alerts}: Config, flags: Flags): readonly AlertRule[] {
	const rules = [...alerts.rules, ...flags.all('rule')].map(line => {
		const read = readAlertRule(line);
		if (read.ok) return read.rule;
		throw new UsageError(`The rule "${line}" is not understood`, `${read.problem}.`);
	});
	if (rules.length > 0) return rules;
	throw new UsageError(
		'There is no rule to watch',
		'Give one as --rule "@bonded mcap>100k", or alerts.rules in the configuration.',
	);
}

/** The bell goes to stderr: stdout may be a file. */
function terminalOf({ui}: Config): Parameters<typeof createAlertEffects>[1] {
	const capabilities = detectCapabilities({
		env: process.env,
		isTTY: Boolean(process.stderr.isTTY),
		platform: process.platform,
		color: ui.color,
		ascii: ui.ascii,
	});
	return {capabilities, send: sequence => process.stderr.write(sequence)};
}
