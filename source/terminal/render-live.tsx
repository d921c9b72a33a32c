import {type Instance, render} from 'ink';
import type {ReactNode} from 'react';
import type {LiveScreen} from './live-screen.ts';
import {ScreenContext} from './screen-context.ts';

/*
 * Ink 8 with these options (read from its source, pinned to 8.0.0):
 * - `debug: true` writes each frame whole, `stdout.write(output)`, at each commit: no throttle, no log-update, no cursor moves,
 *   no synchronized-output marks, no console patch. Lines are joined by \n, without the blanks at their ends.
 * - The width of a frame is `stdout.columns`, read again on 'resize' (only where `interactive`); the height is that of
 *   the root box, so that the app gives it `height={rows}`. Both from useWindowSize().
 * - `interactive: true` although CI may be set: the default is false there, and resizes would be ignored.
 * - `exitOnCtrlC: false`: Ctrl+C is a key of the keymap like any other, and works in every mode.
 * - `alternateScreen` and `kittyKeyboard` stay off: the screen owns the terminal's modes. Ink asks to show the cursor and to
 *   switch bracketed paste; LiveScreen drops both requests, as it sets the modes itself from enter() to restore().
 * - Nothing here uses useInput or usePaste, so Ink leaves stdin alone: listen-to-keys.ts is the one reader of keys.
 * - At unmount Ink writes the last frame again and then an empty string with a callback, as a barrier: LiveScreen flushes.
 * - Ink writes colours at the level that chalk finds in the environment when it is first imported. LiveScreen brings colours
 *   down by itself, so a program sets FORCE_COLOR=3 before it imports Ink; with another level it works as well, with
 *   Ink's colours brought down by chalk.
 */

export interface RenderLiveOptions {
	readonly screen: LiveScreen;
	/** For Ink, which never reads it; `process.stdin` if not given. */
	readonly stdin?: NodeJS.ReadStream;
}

/**
 * Runs Ink on a live screen. The screen is entered and restored by the caller: before the first frame, and after
 * `waitUntilExit` has settled.
 */
export function renderLive(
	node: ReactNode,
	{screen, stdin = process.stdin}: RenderLiveOptions,
): Pick<Instance, 'rerender' | 'unmount' | 'waitUntilExit'> {
	const wrapped = (child: ReactNode): ReactNode => <ScreenContext value={screen}>{child}</ScreenContext>;
	const {rerender, unmount, waitUntilExit} = render(wrapped(node), {
		// From a WriteStream Ink uses write, columns, rows, isTTY, on and off: a LiveScreen has these.
		stdout: screen as unknown as NodeJS.WriteStream,
		stdin,
		debug: true,
		interactive: true,
		patchConsole: false,
		exitOnCtrlC: false,
	});
	return {
		rerender: child => rerender(wrapped(child)),
		unmount,
		waitUntilExit: async () => {
			try {
				return await waitUntilExit();
			} finally {
				await screen.quiet();
			}
		},
	};
}
