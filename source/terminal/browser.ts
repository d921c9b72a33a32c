import {spawn} from 'node:child_process';

/** The program that opens a web page here, and its arguments before the address. */
export interface BrowserCommand {
	readonly command: string;
	readonly args: readonly string[];
}

export interface BrowserSurroundings {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly platform: NodeJS.Platform;
	readonly overSsh: boolean;
}

/** The command that opens a page in a browser where the person sits; undefined over SSH and without a desktop. */
export function browserCommand({env, platform, overSsh}: BrowserSurroundings): BrowserCommand | undefined {
	if (overSsh) return undefined;
	if (platform === 'darwin') return {command: 'open', args: []};
	// The handler of addresses itself: `start` would need a shell.
	if (platform === 'win32') return {command: 'rundll32', args: ['url.dll,FileProtocolHandler']};
	return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? {command: 'xdg-open', args: []} : undefined;
}

/**
 * Opens a page, without a shell and without waiting for the browser.
 * @param href an http(s) address that was checked
 * @returns whether the command could be started
 */
export function openInBrowser({command, args}: BrowserCommand, href: string): Promise<boolean> {
	return new Promise(resolve => {
		const child = spawn(command, [...args, href], {stdio: 'ignore', detached: true, shell: false});
		child.once('error', () => resolve(false));
		child.once('spawn', () => {
			child.unref();
			resolve(true);
		});
	});
}
