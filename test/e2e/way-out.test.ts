import {describe, test} from 'vitest';
import {lateCode} from '../helpers/late-code.ts';
import {PATIENCE_MS} from '../helpers/patience.ts';
import {processesAtHome} from '../helpers/processes.ts';
import {CLI} from '../helpers/program.ts';
import {type Pty, type PtyOptions, withPty} from '../helpers/pty.ts';

/*
 * Every way out gives the terminal back and leaves no process behind, the nodes of practice chains included. What else leads
 * out is shown in monitor.test.ts (q, Ctrl+C, SIGTERM, SIGHUP, an error that nobody caught), cli-feed.test.ts (EPIPE) and,
 * for a terminal that is gone, in guard.test.ts.
 */

const SOON = {interval: 100};

/** Opens the monitor on its own service and waits for rows. */
function story(options: PtyOptions, notify: (pty: Pty) => Promise<void>): Promise<void> {
	return withPty({columns: 120, rows: 40, args: [CLI, '--seed', '7'], ...options}, async pty => {
		await pty.waitFor('● live');
		await pty.waitFor(/NEW [1-9]/);
		await notify(pty);
	});
}

/** Opens the money window, which starts the chains, and waits until one runs. */
async function startChains(pty: Pty): Promise<void> {
	const deadlineMs = performance.now() + PATIENCE_MS;
	pty.type('b');
	await pty.waitFor('PRACTICE MONEY');
	while (!processesAtHome(pty.home).some(({line}) => line.includes('/anvil '))) {
		if (performance.now() > deadlineMs) throw new Error(`no chain was started\n${pty.screenText()}`);
		await new Promise(resolve => setTimeout(resolve, 50));
	}
}

function isGivenBack(pty: Pty): boolean {
	const {bracketedPaste, mouse, focusEvents, cursorHidden} = pty.screen.modes();
	return !pty.screen.isAlternate() && !bracketedPaste && mouse === 'none' && !focusEvents && !cursorHidden;
}

describe.concurrent('no process is left, not even a chain,', () => {
	test('after Ctrl+C in a money window', async ({expect}) => {
		await story({}, async pty => {
			await startChains(pty);
			pty.type('\u0003');
			expect((await pty.exit).code).toBe(0);
			expect(isGivenBack(pty)).toBe(true);
			await expect.poll(() => processesAtHome(pty.home), SOON).toEqual([]);
		});
	});

	test('after kill -9 of the program alone', async ({expect}) => {
		await story({}, async pty => {
			await startChains(pty);
			process.kill(pty.pid, 'SIGKILL');
			await expect.poll(() => processesAtHome(pty.home), SOON).toEqual([]);
		});
	});

	test('after kill -9 of the shell it runs in', async ({expect}) => {
		const shell = {command: 'bash', args: ['-c', `'${process.execPath}' '${CLI}' --seed 7; true`]};
		await story(shell, async pty => {
			await startChains(pty);
			process.kill(pty.pid, 'SIGKILL');
			await expect.poll(() => processesAtHome(pty.home), SOON).toEqual([]);
		});
	});

	const bombs = {
		'an error while drawing': {bomb: "Array.prototype.join = () => { throw new Error('boom') }", told: 'boom'},
		'a rejection that nobody handled': {bomb: "Promise.reject(new Error('boom'))", told: 'boom'},
		'an error in the thread of the service': {
			inService: true,
			bomb: "throw new Error('boom in there')",
			told: 'The embedded service has died: boom in there',
		},
	};
	test.for(Object.entries(bombs))('after %s, which is reported', async ([, {bomb, told, ...where}], {expect}) => {
		const late = lateCode(bomb, where);
		await story({env: late.env}, async pty => {
			late.run(pty);
			expect((await pty.exit).code).toBe(70);
			expect(isGivenBack(pty)).toBe(true);
			expect(pty.screenText()).toContain(told);
			await expect.poll(() => processesAtHome(pty.home), SOON).toEqual([]);
		});
	});
});
