import {expect, test} from 'vitest';
import {browserCommand, openInBrowser} from '../../../source/terminal/browser.ts';

test.each([
	['a Mac', {platform: 'darwin', env: {}}, 'open'],
	['a desktop of Linux', {platform: 'linux', env: {DISPLAY: ':0'}}, 'xdg-open'],
	['Wayland', {platform: 'linux', env: {WAYLAND_DISPLAY: 'wayland-0'}}, 'xdg-open'],
	['Windows', {platform: 'win32', env: {}}, 'rundll32'],
	['a console of Linux', {platform: 'linux', env: {}}, undefined],
] as const)('on %s pages open with what opens them there', (_, {platform, env}, command) => {
	expect(browserCommand({platform, env, overSsh: false})?.command).toBe(command);
	expect(browserCommand({platform, env, overSsh: true})).toBeUndefined();
});

test('a missing command is reported, and what is opened is one argument, read by no shell', async () => {
	expect(await openInBrowser({command: 'no-such-opener-here', args: []}, 'https://example.com/')).toBe(false);
	expect(await openInBrowser({command: process.execPath, args: ['-e', '0']}, 'https://example.com/;exit$(id)')).toBe(
		true,
	);
});
