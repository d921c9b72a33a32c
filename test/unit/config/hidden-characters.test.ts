import {describe, expect, test} from 'vitest';
import {externalChains} from '../../../source/commands/serve/chains.ts';
import {serviceKeys} from '../../../source/commands/serve/keys.ts';
import {publicUrlOf} from '../../../source/commands/serve/public-url.ts';
import {storeAddress} from '../../../source/commands/serve/store.ts';
import {loadConfig} from '../../../source/config/config.ts';
import {readForm} from '../../../source/monitor/webhooks/webhook-form.ts';
import {readProxy} from '../../../source/proxy-connection.ts';
import {temporaryFile} from '../../helpers/temporary-directory.ts';

/* Settings that become a header or an address, as copies, `$(cat key)` and mounted files leave them. */

const AROUND = ['\n', '\r\n', ' ', '\t', '\ufeff', ' \n\n', '\u00a0'];
const INSIDE = ['\n', '\r', '\0', '\t', '\u200b', '\u200d', '\u2060', '\ufeff', '\u00e9', '\u7f51', '\x7f'];

const webhookAt = (url: string) => readForm({...WEBHOOK, url}).url;
const storeAt = (store: string, env: Record<string, string> = {}, passwordFile?: string) =>
	storeAddress({store, passwordFile}, env)!;
const WEBHOOK = {name: 'n', events: 'swap', chains: 'solana', filter: ''};

/** Where an address is read beside the configuration, and what it is then. */
const ADDRESSES: Readonly<Record<string, (url: string) => string>> = {
	'--public-url': url => publicUrlOf(url)!,
	'--rpc': url => externalChains([`evm:8453=${url}`], {keyFile: undefined, deploys: false}).get(8453)!.rpcUrl,
	'the url of a webhook': webhookAt,
	https_proxy: value => readProxy({variable: 'https_proxy', value}).url.href,
};

const HOME = {HOME: '/nowhere'};
const read = (env: Record<string, string>, flags = {}) => loadConfig({flags, env: {...HOME, ...env}});

describe.each(AROUND)('%j around a value', dress => {
	test('is dropped from a key and from addresses', async () => {
		for (const wrapped of [`${dress}`, '']) {
			const {service} = await read({
				PULSETOP_API_KEY: `${wrapped}secret-key${dress}`,
				PULSETOP_BASE_URL: `${wrapped}https://api.example.com${dress}`,
			});
			expect(service.apiKey).toBe('secret-key');
			expect([service.baseUrl].flat()).toEqual(['https://api.example.com']);
			const {follow} = await read({PULSETOP_FOLLOW: `${wrapped}base=wss://node.example.com/k${dress}`});
			expect(follow.base?.urls).toEqual(['wss://node.example.com/k']);
		}
		expect((await read({}, {'api-key': `secret-key${dress}`})).service.apiKey).toBe('secret-key');
		expect(serviceKeys([`one${dress}`], undefined)).toEqual(['one']);
	});
});

test.each(INSIDE)('%j inside of a value is refused by the name of the setting, without the value', async character => {
	const key = `secret${character}canary`;
	for (const [make, name] of [
		[() => read({PULSETOP_API_KEY: key}), 'PULSETOP_API_KEY'],
		[() => read({}, {'api-key': key}), '--api-key'],
		[async () => serviceKeys([key], undefined), '--api-key'],
	] as const) {
		const error = (await make().catch((e: unknown) => e)) as Error & {why?: string};
		expect(`${error.message} ${error.why}`).toContain(name);
		expect(`${error.message} ${error.why}`).not.toMatch(/canary|secret/);
	}
});

test.each(['\u200b', '\u2060', '\0', '\x7f'])('%j inside of an address is refused', async character => {
	await expect(read({PULSETOP_BASE_URL: `https://api.exa${character}mple.com`})).rejects.toMatchObject({
		code: 'config',
	});
});

describe.each(Object.entries(ADDRESSES))('%s', (_, read) => {
	test('drops what stands around an address', () => {
		for (const dress of AROUND) expect(new URL(read(`https://example.com/${dress}`)).href).toBe('https://example.com/');
	});

	test('refuses what nobody sees inside of one', () => {
		for (const character of ['\n', '\t', '\0', '\u200b', '\u2060', '\ufeff', '\xad'])
			expect(() => read(`https://exam${character}ple.com/`), JSON.stringify(character)).toThrow();
	});
});

test('the database and its password are taken without what stands around them', () => {
	for (const dress of AROUND) {
		expect(storeAt(`postgres://u@localhost/d${dress}`).url).toBe('postgres://u@localhost/d');
		expect(storeAt('postgres://u@localhost/d', {PULSETOP_STORE_PASSWORD: `canary${dress}`}).password).toBe('canary');
		const file = temporaryFile(`canary${dress}`);
		expect(storeAt('postgres://u@localhost/d', {}, file).password).toBe('canary');
	}
	const utf16 = temporaryFile(Buffer.from('\ufeffcanary\r\n', 'utf16le'));
	expect(storeAt('postgres://u@localhost/d', {}, utf16).password).toBe('canary');
	for (const character of ['\n', '\0', '\u200b']) {
		const read = () => storeAt('postgres://u@localhost/d', {PULSETOP_STORE_PASSWORD: `can${character}ary`});
		expect(read).toThrow(/PULSETOP_STORE_PASSWORD/);
		expect(read).not.toThrow(/ary/);
		expect(() => storeAt(`postgres://u@local${character}host/d`)).toThrow(/--store/);
	}
});
