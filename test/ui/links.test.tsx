import {expect, test} from 'vitest';
import {entryOf} from '../helpers/entries.ts';
import {openTestMonitor} from '../helpers/monitor-app.tsx';

const ADDRESS = '0x00000000000000000000000000000000000000a1';
const token = entryOf(
	ADDRESS,
	{
		symbol: 'PEPE',
		website: 'https://аррӏе.com/buy',
		twitter: 'https://x.com/pepe',
		otherSocials: {Blog: 'javascript:alert(1)'},
	},
	'evm:8453',
);

function openMenu(browser: 'opened' | 'remote' = 'opened', rows = 30) {
	const monitor = openTestMonitor({size: {columns: 120, rows}, browser});
	monitor.arrive('new', [token]);
	monitor.press('j', 'O');
	return monitor;
}

test('O lists the pages of the token, the host as it really is, and opens nothing by itself', () => {
	const monitor = openMenu();
	expect(monitor.frame()).toContain('Links (Enter opens, y copies)');
	expect(monitor.frame()).toMatch(/website +xn--80ak6aa92e\.com\/buy/);
	expect(monitor.frame()).toMatch(/Blog +javascript:alert\(1\) +javascript: is not opened/);
	expect(monitor.frame()).toContain(`basescan.org/token/${ADDRESS}`);
	expect(monitor.opened).toEqual([]);
});

test('Enter opens the marked page; one that is not safe is refused, with the reason', async () => {
	const monitor = openMenu();
	monitor.press('j', 'j', '\r');
	expect(monitor.frame()).toContain('javascript: is not opened');
	monitor.press('k', '\r');
	await expect.poll(() => monitor.opened).toEqual(['https://x.com/pepe']);
	await expect.poll(() => monitor.frame()).toContain('Opened x.com in your browser.');
});

test('over SSH the address is shown and copied, and the notice says so', async () => {
	const monitor = openMenu('remote');
	monitor.press('j', '\r');
	await expect.poll(() => monitor.copied).toEqual(['https://x.com/pepe']);
	await expect
		.poll(() => monitor.frame())
		.toContain('Your browser is on another machine (SSH). https://x.com/pepe: copied.');
});

test('y copies the page, and at the end of the list the command that prints the token', async () => {
	const monitor = openMenu('opened', 130);
	monitor.press('y');
	await expect.poll(() => monitor.copied).toEqual(['https://xn--80ak6aa92e.com/buy']);
	monitor.press('O', '\u001b[A', 'y');
	await expect.poll(() => monitor.copied.at(-1)).toBe(`pulsetop token ${ADDRESS} --chain base`);
	monitor.press('\r');
	expect(monitor.frame()).toMatch(new RegExp(`IN A SHELL[^\\n]*O: copy[\\s\\S]*pulsetop token[\\s│]+${ADDRESS}`));
});
