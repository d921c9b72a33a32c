import type {Effects} from '../../monitor/actions.ts';
import type {Moment} from '../../monitor/rewind/moment.ts';
import type {Capabilities} from '../../terminal/capabilities.ts';
import {copyToClipboard, copyWords} from '../../terminal/clipboard.ts';
import type {LiveScreen} from '../../terminal/live-screen.ts';
import type {MonitorRun} from './run.ts';

/** A user command that has not ended after this is killed, ms. */
const PROGRAM_LIMIT_MS = 60_000;

interface ScreenEffectsOptions {
	readonly run: MonitorRun;
	readonly capabilities: Capabilities;
	readonly screen: LiveScreen;
	readonly moments: () => readonly Moment[];
	readonly suspend: () => void;
	readonly quit: () => void;
}

/** Creates the effects of keys outside the monitor: clipboard, browser, programs, reports. */
export function createScreenEffects({
	run,
	capabilities,
	screen,
	moments,
	suspend,
	quit,
}: ScreenEffectsOptions): Effects {
	return {
		...run.effects,
		moments,
		suspend,
		quit,
		tryAlert: run.tryAlert,
		redraw: () => screen.retake(),
		hidesFiles: () => import('../../monitor/hides/hides-file.ts'),
		copy: async text => copyWords(await copyToClipboard(text, {capabilities, send: sequence => screen.send(sequence)})),
		runProgram: async (command, entry, view) => {
			const {runProgram, variablesOf} = await import('./token-program.ts');
			return runProgram({argv: command.run, variables: variablesOf(entry, view), limitMs: PROGRAM_LIMIT_MS});
		},
		openPage: async href => {
			const {browserCommand, openInBrowser} = await import('../../terminal/browser.ts');
			const {overSsh} = capabilities;
			const command = browserCommand({env: process.env, platform: process.platform, overSsh});
			if (command === undefined) return overSsh ? 'remote' : 'no-browser';
			return (await openInBrowser(command, href)) ? 'opened' : 'failed';
		},
	};
}
