import {afterEach, expect, test} from 'vitest';
import {ServiceRefused} from '../../source/client/http/service-errors.ts';
import {FormProblem, readForm} from '../../source/monitor/webhooks/webhook-form.ts';
import {maskedKey, maskedUrl} from '../../source/monitor/webhooks/webhook-key.ts';
import {NOW_MS, type TestMonitor} from '../helpers/monitor-app.tsx';
import {openScreens, shows} from './screens-fixture.ts';

const open: TestMonitor[] = [];
afterEach(() => {
	for (const monitor of open.splice(0)) monitor.press('\u001b', '\u001b', '\u001b');
});

function screens(...given: Parameters<typeof openScreens>): ReturnType<typeof openScreens> {
	const opened = openScreens(...given);
	open.push(opened.monitor);
	return opened;
}

const KEY = 'pt_secret_key_of_somebody_wxyz';
const SECRET = `whsec_${'ab'.repeat(32)}`;
const SIZE = {columns: 130, rows: 30};

const webhook = (id: string, more = {}) => ({
	id,
	name: `hook ${id}`,
	chainIds: ['solana:solana'],
	events: ['swap'],
	webhookUrl: 'https://user:pw@example.com/in?token=topsecret',
	apiKey: KEY,
	createdAt: new Date(NOW_MS - 3_600_000).toISOString(),
	filters: null,
	...more,
});

const health = (more = {}) => ({
	success: true,
	data: {
		id: 'a',
		delivered: 42,
		failedAttempts: 3,
		pending: 0,
		dropped: 0,
		lastAttempt: {
			at: new Date(NOW_MS - 30_000).toISOString(),
			event: 'swap',
			success: true,
			status: 200,
			reason: null,
		},
		deadLettersCount: 0,
		deadLetters: [],
		...more,
	},
});

const list = (...data: unknown[]) => ({success: true, count: data.length, data});

test('keys, users and queries are masked, and each webhook says how it is doing', async () => {
	const {monitor, asked} = screens(
		{webhookList: () => list(webhook('a')), webhookDeliveries: () => health()},
		{size: SIZE, apiKey: KEY},
	);
	monitor.press('M', 'w');
	const frame = await shows(monitor, /✓ hook a.*30s ago\s+42\s+3\s+0/);
	expect(frame).toContain('https://****@example.com/in?****');
	expect(frame).toContain('****wxyz');
	const cells = frame.split('\n').filter(line => /DEAD|✓ hook a/.test(line));
	const [headings, line] = cells.map(line => line.trimEnd().length);
	expect(line).toBe(headings);
	expect(line).toBeLessThanOrEqual(SIZE.columns);
	for (const secret of ['topsecret', 'pw@', KEY]) expect(frame).not.toContain(secret);
	expect(asked[0]).toEqual({id: 'webhookList', input: {query: {apiKey: KEY}}});
});

test('webhooks that the service counts and that can not be read are not passed over', async () => {
	let listed: unknown[] = [webhook('a')];
	const {monitor} = screens({webhookList: () => ({...list(...listed), count: 3})}, {size: SIZE, apiKey: KEY});
	monitor.press('M', 'w');
	await shows(monitor, /WEBHOOKS +1 +2 webhooks of this key can't be read and are not listed\./);
	listed = [];
	monitor.press('R');
	expect(await shows(monitor, /WEBHOOKS +0 +3 webhooks/)).not.toContain('has no webhook');
});

test('long silence, a failed last attempt and no delivery yet are marked', async () => {
	const attempt = (agoMs: number, success: boolean) => ({
		at: new Date(NOW_MS - agoMs).toISOString(),
		event: 'swap',
		success,
		status: success ? 200 : 500,
		reason: success ? null : 'status 500',
	});
	const states: Record<string, unknown> = {
		silent: health({lastAttempt: attempt(1_200_000, true)}),
		broken: health({lastAttempt: attempt(5_000, false), deadLettersCount: 7}),
		fresh: health({lastAttempt: null, delivered: 0}),
	};
	const {monitor} = screens(
		{
			webhookList: () => list(webhook('silent'), webhook('broken'), webhook('fresh')),
			webhookDeliveries: ({params}: {params: {id: string}}) => states[params.id],
		},
		{size: SIZE},
	);
	monitor.press('M', 'w');
	await shows(monitor, /○ hook fresh.*none yet/);
	expect(monitor.frame()).toMatch(/! hook silent.*20m ago/);
	expect(monitor.frame()).toMatch(/✗ hook broken.*5s ago.*7/);
});

test('a service without the route of deliveries is no failure of the list', async () => {
	const {monitor} = screens(
		{
			webhookList: () => list(webhook('a')),
			webhookDeliveries: () => {
				throw new ServiceRefused(404, '');
			},
		},
		{size: SIZE},
	);
	monitor.press('M', 'w');
	await shows(monitor, 'no delivery status');
	expect(monitor.frame()).toContain('hook a');
});

test('a valid new webhook is created, and its secret is shown once', async () => {
	const {monitor, asked} = screens(
		{
			webhookList: () => list(webhook('a')),
			webhookDeliveries: () => health(),
			webhookCreate: () => ({...webhook('new'), webhookSecret: SECRET}),
		},
		{size: SIZE, apiKey: KEY},
	);
	monitor.press('M', 'w');
	await shows(monitor, 'hook a');
	monitor.press('n', 'whales', '\r');
	await shows(monitor, /\^ write a whole address/);
	expect(asked.some(({id}) => id === 'webhookCreate')).toBe(false);
	monitor.press('https://example.com/in', '\t', '\u0015', 'swap lauchpad', '\r');
	await shows(monitor, /lauchpad is no event: launchpad\?/);
	monitor.press('\u0015', 'swap, launchpad', '\t', '\u0015', 'base', '\t', 'amountUSD>=10k', '\r');
	await shows(monitor, SECRET);
	expect(asked.find(({id}) => id === 'webhookCreate')!.input).toEqual({
		body: {
			name: 'whales',
			url: 'https://example.com/in',
			events: ['swap', 'launchpad'],
			chainIds: ['evm:8453'],
			filters: {gte: ['amountUSD', 10_000]},
			apiKey: KEY,
		},
	});
	monitor.press('y');
	expect(monitor.copied).toEqual([SECRET]);
	monitor.press('\r');
	await shows(monitor, 'hook a');
	expect(monitor.frame()).not.toContain(SECRET);
	expect(JSON.stringify(monitor.screens.get().webhooks)).not.toContain(SECRET);
});

test('a refusal is shown with the text of the service, and the typed text stays', async () => {
	const {monitor} = screens(
		{
			webhookList: () => list(),
			webhookCreate: () => {
				throw new ServiceRefused(400, 'the target is private');
			},
		},
		{size: SIZE},
	);
	monitor.press('M', 'w');
	await shows(monitor, 'has no webhook');
	monitor.press('n', 'mine', '\t', 'http://10.0.0.1/', '\r');
	await shows(monitor, 'the target is private');
	expect(monitor.frame()).toContain('http://10.0.0.1/');
});

test('a webhook is deleted only by the answer that is not marked at first', async () => {
	let there = true;
	const {monitor, asked} = screens(
		{
			webhookList: () => (there ? list(webhook('a')) : list()),
			webhookDeliveries: () => health(),
			webhookDelete: () => {
				there = false;
				return {success: true, message: '', id: 'a'};
			},
		},
		{size: SIZE, apiKey: KEY},
	);
	monitor.press('M', 'w');
	await shows(monitor, 'hook a');
	monitor.press('x');
	await shows(monitor, /\[ Cancel \]/);
	// The mouse answers no question: not its click, not its wheel.
	monitor.press(...Array.from({length: 16}, (_, y) => `\u001b[<0;4;${y + 1}M\u001b[<65;4;${y + 1}M`));
	expect(monitor.screens.get().webhooks).toMatchObject({step: 'remove', answer: 'cancel'});
	monitor.press('\r');
	await shows(monitor, 'hook a');
	expect(asked.some(({id}) => id === 'webhookDelete')).toBe(false);
	monitor.press('x', '\t', '\r');
	await shows(monitor, 'has no webhook');
	expect(asked.find(({id}) => id === 'webhookDelete')!.input).toEqual({params: {id: 'a'}, query: {apiKey: KEY}});
});

test('a webhook that was deleted elsewhere gives its page to no other one, nor its deletion', async () => {
	let listed = [webhook('a'), webhook('b')];
	const {monitor, asked} = screens(
		{webhookList: () => list(...listed), webhookDeliveries: () => health()},
		{size: SIZE, apiKey: KEY},
	);
	monitor.press('M', 'w');
	await shows(monitor, 'hook b');
	monitor.press('j', 'x');
	await shows(monitor, /name +hook b/);
	listed = [webhook('a')];
	monitor.press('\t', 'R');
	const gone = await shows(monitor, 'This webhook is gone: it was deleted elsewhere. Esc goes back');
	expect(gone).not.toMatch(/hook a|Enter delete it/);
	monitor.press('\r');
	await shows(monitor, 'There is no webhook here to delete.');
	expect(asked.some(({id}) => id === 'webhookDelete')).toBe(false);

	monitor.press('\u001b');
	await shows(monitor, /✓ hook a/);
	monitor.press('\r');
	await shows(monitor, /id +a/);
	listed = [];
	monitor.press('R');
	await shows(monitor, 'This webhook is gone');
	monitor.press('\u001b');
	await shows(monitor, 'has no webhook');
});

test('the filter of a webhook is edited as a line, with its mistakes marked, and then saved', async () => {
	let filters: object | null = {gte: ['amountUSD', 1500]};
	const {monitor, asked} = screens(
		{
			webhookList: () => list(webhook('a', {filters})),
			webhookDeliveries: () => health(),
			webhookUpdate: ({body}: {body: {filters: object | null}}) => {
				({filters} = body);
				return {success: true, message: '', data: webhook('a', {filters})};
			},
		},
		{size: SIZE, apiKey: KEY},
	);
	monitor.press('M', 'w');
	await shows(monitor, 'hook a');
	monitor.press('e');
	await shows(monitor, /filter of hook a *\n.*filter +amountUSD>=1500/);
	monitor.press(' poolType:pumpfun  priceUSD>low', '\r');
	// The mark stands under the word, and the cursor before it: what is typed now goes there.
	const frame = await shows(monitor, /\^\^\^ *\n *priceUSD needs a number here, low is not one/);
	const lines = frame.split('\n');
	const at = lines.findIndex(line => line.includes('^^^'));
	expect(lines[at]!.indexOf('^^^')).toBe(lines[at - 1]!.indexOf('low'));
	expect(asked.some(({id}) => id === 'webhookUpdate')).toBe(false);
	monitor.press('\u001b[3~', '\u001b[3~', '\u001b[3~', '9', '\r');
	await shows(monitor, /Filter ─+ *\n *amountUSD>=1500 poolType:pumpfun priceUSD>9/);
	expect(asked.find(({id}) => id === 'webhookUpdate')!.input).toEqual({
		body: {
			streamId: 'a',
			apiKey: KEY,
			mode: 'replace',
			filters: {and: [{gte: ['amountUSD', 1500]}, {eq: ['poolType', 'pumpfun']}, {gt: ['priceUSD', 9]}]},
		},
	});
	monitor.press('e', '\u0015', '\r');
	await shows(monitor, 'None: every event is delivered');
	expect(filters).toBeNull();
});

test('a filter that no line can express is edited as JSON; a refusal is shown, and the typed text stays', async () => {
	const nested = {or: [{and: [{or: [{eq: ['a', 1]}, {eq: ['b', 2]}]}]}]};
	const {monitor} = screens(
		{
			webhookList: () => list(webhook('a', {filters: nested})),
			webhookDeliveries: () => health(),
			webhookUpdate: () => {
				throw new ServiceRefused(400, 'the filter is too long');
			},
		},
		{size: SIZE, apiKey: KEY},
	);
	monitor.press('M', 'w');
	await shows(monitor, 'hook a');
	monitor.press('\r');
	await shows(monitor, 'e changes it');
	monitor.press('e');
	await shows(monitor, JSON.stringify(nested));
	monitor.press('\r');
	await shows(monitor, 'the filter is too long');
	expect(monitor.frame()).toContain(JSON.stringify(nested));
	monitor.press('\u007f', '\r');
	await shows(monitor, 'it begins as JSON, and is not valid JSON');
	monitor.press('\u001b');
	await shows(monitor, /✓ hook a/);
});

test('dead letters are listed and delivered again', async () => {
	const letter = {
		id: 'l',
		event: 'swap',
		createdAt: new Date(NOW_MS - 60_000).toISOString(),
		failedAt: new Date(NOW_MS - 50_000).toISOString(),
		attempts: 3,
		status: 503,
		reason: 'the target failed',
		body: {},
	};
	const {monitor, asked} = screens(
		{
			webhookList: () => list(webhook('a')),
			webhookDeliveries: () => health({deadLettersCount: 1, deadLetters: [letter]}),
			webhookRedeliver: () => ({success: true, id: 'a', count: 1}),
		},
		{size: SIZE, apiKey: KEY},
	);
	monitor.press('M', 'w');
	await shows(monitor, 'hook a');
	monitor.press('\r');
	await shows(monitor, /swap {2}3 tries, status 503, the target failed/);
	monitor.press('d');
	await shows(monitor, '1 will be delivered again');
	expect(asked.find(({id}) => id === 'webhookRedeliver')!.input).toEqual({params: {id: 'a'}, body: {apiKey: KEY}});
});

test('G scrolls the details of a webhook to their end, and g back to their beginning', async () => {
	const letters = Array.from({length: 40}, (_, at) => ({
		id: `l${at}`,
		event: 'swap',
		createdAt: new Date(NOW_MS - 60_000).toISOString(),
		failedAt: new Date(NOW_MS - 50_000).toISOString(),
		attempts: 3,
		status: 503,
		reason: `failure ${at}`,
		body: {},
	}));
	const {monitor} = screens(
		{
			webhookList: () => list(webhook('a')),
			webhookDeliveries: () => health({deadLettersCount: 40, deadLetters: letters}),
		},
		{size: SIZE, apiKey: KEY},
	);
	monitor.press('M', 'w');
	await shows(monitor, 'hook a');
	monitor.press('\r');
	await shows(monitor, 'PgDn scroll');
	monitor.press('G');
	await shows(monitor, 'failure 39');
	monitor.press('g');
	await shows(monitor, 'posts to');
});

test('without a key the screen says so, and read-only mode has no key that changes anything', async () => {
	const {monitor} = screens({}, {size: SIZE, apiKey: ''});
	monitor.press('M', 'w');
	await shows(monitor, 'There is no API key');

	const {monitor: reading, asked} = screens(
		{webhookList: () => list(webhook('a')), webhookDeliveries: () => health()},
		{size: SIZE, readOnly: true},
	);
	reading.press('M', 'w');
	await shows(reading, 'hook a');
	reading.press('n', 'e', 'x', 'd');
	expect(reading.frame()).not.toMatch(/new webhook|filter of|\[ Cancel \]/);
	expect(asked.every(({id}) => id === 'webhookList' || id === 'webhookDeliveries')).toBe(true);
});

test('a form that is wrong names the field', () => {
	const form = {name: 'n', url: 'https://example.com', events: 'swap', chains: 'solana', filter: ''};
	expect(readForm(form)).toEqual({
		name: 'n',
		url: 'https://example.com',
		events: ['swap'],
		chainIds: ['solana:solana'],
	});
	const fieldOf = (more: Partial<typeof form>) => {
		try {
			readForm({...form, ...more});
		} catch (error) {
			return error instanceof FormProblem ? error.field : error;
		}
		return undefined;
	};
	expect(fieldOf({name: ' '})).toBe('name');
	expect(fieldOf({url: 'ftp://example.com'})).toBe('url');
	expect(fieldOf({events: ''})).toBe('events');
	expect(fieldOf({chains: 'sollana'})).toBe('chains');
	expect(fieldOf({filter: '???'})).toBe('filter');
});

test('masks keep what differs and drop what is secret', () => {
	expect(maskedKey('short')).toBe('****');
	expect(maskedUrl('https://example.com/a/b?x=1#y')).toBe('https://example.com/a/b?****');
	expect(maskedUrl('no address')).toBe('an address that cannot be read');
});
