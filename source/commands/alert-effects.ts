import {spawn} from 'node:child_process';
import type {Config} from '../config.ts';
import {type Alert, isQuiet, readQuietHours} from '../monitor/alerts.ts';
import {type NotifyOptions, notify, ring} from '../terminal/notify.ts';

/** A hook that has not ended after this is ended, ms. */
const COMMAND_LIMIT_MS = 10_000;

/**
 * What an alert does beside its line on screen, by the configuration: the bell, a message of the desktop, a command. In
 * the quiet hours nothing.
 */
export function createAlertEffects(
	{alerts}: Pick<Config, 'alerts'>,
	terminal: NotifyOptions,
): (raised: readonly Alert[]) => void {
	const quiet = readQuietHours(alerts.quiet);
	const runCommand = createCommandHook(alerts.command);
	return raised => {
		if (isQuiet(quiet, new Date())) return;
		const [first] = raised;
		if (!first) return;
		const more = raised.length > 1 ? ` and ${raised.length - 1} more` : '';
		if (alerts.desktop) notify(`pulsetop: ${first.symbol}${more} in ${first.view} matches ${first.rule}`, terminal);
		else if (alerts.bell) ring(terminal);
		for (const alert of raised) runCommand(alert);
	};
}

/**
 * Runs the configured command for an alert, one at a time; alerts that come meanwhile have their bell only. There is no
 * shell, and names of tokens, which strangers choose, go into the environment and never into arguments.
 */
function createCommandHook([program, ...args]: readonly string[]): (alert: Alert) => void {
	let isRunning = false;
	return ({rule, symbol, address, chainId, view}) => {
		if (program === undefined || isRunning) return;
		isRunning = true;
		const {PULSETOP_API_KEY: _, ...env} = process.env;
		const child = spawn(program, args, {
			stdio: 'ignore',
			timeout: COMMAND_LIMIT_MS,
			env: {
				...env,
				PULSETOP_RULE: rule,
				PULSETOP_SYMBOL: symbol,
				PULSETOP_ADDRESS: address,
				PULSETOP_CHAIN: chainId,
				PULSETOP_COLUMN: view,
			},
		});
		const end = (): void => {
			isRunning = false;
		};
		child.on('error', end);
		child.on('close', end);
		child.unref();
	};
}
