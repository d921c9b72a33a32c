import type {Config} from '../../config/config.ts';
import {alertMessage, testMessage} from '../../monitor/alerts/alert-message.ts';
import {type Alert, isQuiet, readQuietHours} from '../../monitor/alerts/alert-rules.ts';
import {type NotifyOptions, notify, ring as ringBell} from '../../terminal/notify.ts';
import {runProgram} from './token-program.ts';

/** A hook command is killed after this, ms. */
const COMMAND_LIMIT_MS = 10_000;
/** Commands that wait for the running one; a further alert only rings the bell: a message minutes later is no alert. */
const MAX_WAITING = 20;

/**
 * Creates what an alert does beside its line on screen, by the configuration: the bell, a desktop notification, a command.
 * In the quiet hours an alert does nothing.
 * @param settings reads the settings in force, at every alert
 */
export function createAlertEffects(settings: () => Config['alerts'], terminal: NotifyOptions): AlertEffects {
	const runCommand = createCommandHook(() => settings().command);
	const isQuietNow = (): boolean => isQuiet(readQuietHours(settings().quiet), new Date());
	const ring = (raised: readonly Alert[]): void => {
		if (isQuietNow()) return;
		const alerts = settings();
		if (raised.length === 0) return;
		if (alerts.desktop) notify(alertMessage(raised), terminal);
		else if (alerts.bell) ringBell(terminal);
		for (const alert of raised) runCommand(alert);
	};
	const tryOut = (alert: Alert): string => {
		const alerts = settings();
		if (alerts.desktop) notify(testMessage(alert), terminal);
		else if (alerts.bell) ringBell(terminal);
		const isRun = runCommand(alert, {PULSETOP_TEST: '1'});
		const done = [
			...(alerts.desktop ? ['bell and desktop message'] : alerts.bell ? ['bell'] : []),
			...(alerts.command.length > 0
				? [`command ${alerts.command[0]}${isRun ? '' : ' (too many are waiting: not started)'}`]
				: []),
		];
		const now = isQuietNow() ? '; real alerts are silent now (quiet hours)' : '';
		return `${done.length === 0 ? 'nothing is switched on in [alerts]' : done.join(', ')}${now}`;
	};
	return {ring, tryOut};
}

export interface AlertEffects {
	/** Rings for new alerts. */
	readonly ring: (raised: readonly Alert[]) => void;
	/** Rings for a test alert, at any hour; its command gets PULSETOP_TEST=1. @returns a text that says what was done */
	readonly tryOut: (alert: Alert) => string;
}

/** Runs the configured command for each alert, one at a time and in their order. @returns whether it runs or waits its turn */
function createCommandHook(
	command: () => readonly string[],
): (alert: Alert, extra?: Readonly<Record<`PULSETOP_${string}`, string>>) => boolean {
	let open = 0;
	let last: Promise<unknown> = Promise.resolve();
	return ({rule, symbol, address, chainId, view}, extra = {}) => {
		const argv = command();
		if (argv.length === 0 || open > MAX_WAITING) return false;
		open++;
		const variables = {
			...extra,
			PULSETOP_RULE: rule,
			PULSETOP_SYMBOL: symbol,
			PULSETOP_ADDRESS: address,
			PULSETOP_CHAIN: chainId,
			PULSETOP_COLUMN: view,
		};
		last = last.then(async () => {
			await runProgram({argv, variables, limitMs: COMMAND_LIMIT_MS});
			open--;
		});
		return true;
	};
}
