import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {recoverAddress, serializeSignature} from 'viem';
import {hashTypedData} from 'viem/utils';
import {describe, expect, test} from 'vitest';
import {NEUTRAL_PROVIDER} from '../../../source/contract/provider.ts';
import {
	authorizationDigest,
	batchDigest,
	batchNonce,
	batchTypedData,
	chainNumber,
	delegateOf,
	deployDigest,
	deployTypedData,
	laneOf,
	messageDigest,
	perpExecuteText,
	perpPayloadText,
	typedDataJson,
} from '../../../source/contract/typed-data.ts';
import {InvalidRequest} from '../../../source/contract/wire-error.ts';

type Hex = `0x${string}`;

interface Vectors {
	lanes: {intentId: string; lane: string; batchNonce: string}[];
	batches: {
		domainName: string;
		domainVersion: string;
		intentId: string;
		batch: Parameters<typeof batchDigest>[0];
		digest: Hex;
		signature: Hex;
	}[];
	authorizations: {
		authority: string;
		digest: Hex;
		tuple: {chainId: number; address: string; nonce: number; yParity: number; r: Hex; s: Hex};
	}[];
	texts: {signer: string; text: string; digest: Hex; signature: Hex}[];
	executePayloadStr: string;
	deploys: {signer: string; factory: string; name: string; digest: Hex; signature: Hex}[];
}

const file = new URL('../../vectors/signing.json', import.meta.url);
const vectors: Vectors = JSON.parse(readFileSync(file, 'utf8'));

async function signerOf(hash: Hex, signature: Hex): Promise<string> {
	return (await recoverAddress({hash, signature})).toLowerCase();
}

describe('what is signed is what another implementation signs (test/vectors/signing.py)', () => {
	test.each(vectors.lanes)('the lane of "$intentId"', ({intentId, lane, batchNonce: nonce}) => {
		expect(String(laneOf(intentId))).toBe(lane);
		expect(String(batchNonce(intentId))).toBe(nonce);
		expect(batchNonce(intentId, 3n)).toBe(BigInt(nonce) + 3n);
	});

	test.each(vectors.batches)('the batch of "$intentId" on $batch.originChainId', async vector => {
		const {domainName, domainVersion, batch, digest, signature} = vector;
		expect(batch.batchNonce).toBe(String(batchNonce(vector.intentId)));
		expect(batchDigest(batch, {...NEUTRAL_PROVIDER, domainName, domainVersion})).toBe(digest);
		expect(await signerOf(digest, signature)).toBe(batch.authority);
	});

	test('the batch whose addresses are in capitals, or with a wrong checksum, has the same digest', () => {
		const [{batch, digest}] = vectors.batches as [Vectors['batches'][number]];
		const respelled = (spell: (digits: string) => string) => {
			const change = (address: string) => `0x${spell(address.slice(2))}`;
			const {authority, gasToken, calls} = batch;
			return {
				...batch,
				authority: change(authority),
				gasToken: change(gasToken),
				calls: calls.map(call => ({...call, to: change(call.to)})),
			};
		};
		expect(batchDigest(respelled(digits => digits.toUpperCase()))).toBe(digest);
		expect(batchDigest(respelled(digits => digits.slice(0, 20).toUpperCase() + digits.slice(20).toLowerCase()))).toBe(
			digest,
		);
	});

	test('the neutral names are the default, and other names sign other bytes', () => {
		const [neutral, , , , , other] = vectors.batches;
		expect(batchDigest(neutral!.batch)).toBe(neutral!.digest);
		expect(batchDigest(other!.batch)).not.toBe(other!.digest);
	});

	test.each(vectors.authorizations)(
		'the authorization on chain $tuple.chainId with nonce $tuple.nonce',
		async vector => {
			const {r, s, yParity, ...request} = vector.tuple;
			expect(authorizationDigest(request)).toBe(vector.digest);
			expect(await signerOf(vector.digest, serializeSignature({r, s, yParity}))).toBe(vector.authority);
		},
	);

	test.each(vectors.texts)('the text $text', async ({signer, text, digest, signature}) => {
		expect(messageDigest(text)).toBe(digest);
		expect(await signerOf(digest, signature)).toBe(signer);
	});

	test.each(vectors.deploys)('the deploy by $factory', async ({signer, factory, name, digest, signature}) => {
		expect(deployDigest(factory, {name})).toBe(digest);
		expect(await signerOf(digest, signature)).toBe(signer);
	});

	test.skipIf(spawnSync('python3', ['--version']).status !== 0)('the vectors are those that the script makes', () => {
		const script = `import json, signing; signing.check_against_published_values(); print(json.dumps(signing.vectors()))`;
		const made = spawnSync('python3', ['-B', '-c', script], {
			cwd: new URL('.', file),
			encoding: 'utf8',
			// A locale that the machine lacks is a warning of the shell.
			env: {...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8'},
		});
		expect(made.stderr).toBe('');
		expect(JSON.parse(made.stdout)).toEqual(vectors);
	});
});

describe('the signed texts (spec 5)', () => {
	test('name the path without its leading slash, the time, and the payload', () => {
		expect(perpPayloadText('cancel-order', 1_790_000_000_000)).toBe(vectors.texts[0]!.text);
		expect(perpExecuteText(1_790_000_000_123, vectors.executePayloadStr)).toBe(vectors.texts[2]!.text);
	});
});

describe('typed data as JSON', () => {
	test('holds no big integers and signs to the same bytes', () => {
		const {batch, digest} = vectors.batches[3]!;
		const json = JSON.parse(JSON.stringify(typedDataJson(batchTypedData(batch))));
		expect(json.message.minBalance).toBe(batch.minBalance);
		expect(json.message.nonce).toBe(batch.batchNonce);
		expect(hashTypedData(json)).toBe(digest);
		const {factory, name, digest: deploy} = vectors.deploys[0]!;
		expect(hashTypedData(JSON.parse(JSON.stringify(typedDataJson(deployTypedData(factory, {name})))))).toBe(deploy);
	});
});

describe('chains and delegations', () => {
	test.each(['solana:solana', 'evm:0', 'evm:', 'evm:01', 'evm:1e3', '8453', 'evm:8453 '])('%s is no EVM chain', id => {
		expect(() => chainNumber(id)).toThrow(InvalidRequest);
	});

	test('the number of a chain is what the domain and the tuple carry', () => {
		expect(chainNumber('evm:8453')).toBe(8453);
	});

	test.each([
		[undefined, undefined],
		['0x', undefined],
		[`0xef0100${'AB'.repeat(20)}`, `0x${'ab'.repeat(20)}`],
		[`0xef0100${'ab'.repeat(19)}`, undefined],
		[`0xef0101${'ab'.repeat(20)}`, undefined],
		['0x6080604052', undefined],
	])('code %s delegates to %s (spec 4.4)', (code, delegate) => {
		expect(delegateOf(code)).toBe(delegate);
	});
});
