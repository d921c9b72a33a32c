import {describe, expect, test} from 'vitest';
import {serviceKeys} from '../../../source/commands/serve-keys.ts';
import {loadConfig} from '../../../source/config/config.ts';

/* Settings that become a header or an address, as copies, `$(cat key)` and mounted files leave them. */

const AROUND = ['\n', '\r\n', ' ', '\t', '\ufeff', ' \n\n', '\u00a0'];
const INSIDE = ['\n', '\r', '\0', '\t', '\u200b', '\u200d', '\u2060', '\ufeff', '\u00e9', '\u7f51', '\x7f'];

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
