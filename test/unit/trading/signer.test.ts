import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseTransaction, recoverMessageAddress, recoverTransactionAddress, recoverTypedDataAddress} from 'viem';
import {recoverAuthorizationAddress} from 'viem/utils';
import {describe, expect, test} from 'vitest';
import {batchTypedData} from '../../../source/contract/typed-data.ts';
import {openCaps} from '../../../source/trading/caps.ts';
import {openJournal} from '../../../source/trading/journal.ts';
import {openKeystore} from '../../../source/trading/keystore.ts';
import {createSigner} from '../../../source/trading/signer.ts';
import {practiceSigner} from '../../helpers/practice-signer.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const TOKEN = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const EXECUTOR = '0x1111111111111111111111111111111111111111';
const spend = {id: 'intent-1', chainId: 'evm:8453', token: TOKEN, symbol: 'USDC', amountRaw: 50_000_000n, decimals: 6};

function batchOf(authority: string) {
	return {
		originChainId: 'evm:8453',
		authority,
		calls: [{to: TOKEN, value: '0', data: '0x095ea7b3'}],
		batchNonce: '18446744073709551616',
		deadline: '1900000000',
		gasToken: TOKEN,
		minBalance: '50000000',
	};
}

const vectors = JSON.parse(readFileSync(new URL('../../vectors/keystore-signatures.json', import.meta.url), 'utf8'));

describe('the signer', () => {
	test('signs to the same bytes as another program does with the same key', async () => {
		const dir = temporaryDirectory();
		const keystore = openKeystore(dir, 'real', {cost: 1024});
		const bytes = (text: string) => new TextEncoder().encode(text);
		await keystore.importKey('me', bytes(vectors.secret), bytes('correct horse'));
		const signer = createSigner({
			keystore,
			name: 'me',
			caps: openCaps(join(dir, 'caps.json'), {journal: openJournal(join(dir, 'spent.jsonl'))}),
		});
		expect(await signer.unlock(bytes('correct horse'))).toBe(vectors.address);
		const {batch} = vectors;
		const given = {...spend, token: batch.gasToken};
		expect((await signer.signBatch(batch, given)).signature).toBe(vectors.batchSignature);
		for (const {chainId, address, nonce, ...signature} of vectors.authorizations) {
			expect(await signer.signAuthorization({chainId, address, nonce})).toEqual({
				chainId,
				address,
				nonce,
				...signature,
			});
		}
		for (const {request, signature} of vectors.personal) {
			expect((await signer.signPersonal(request)).signature).toBe(signature);
		}
		for (const {raw, hash, ...fields} of vectors.transactions) {
			const {valueRaw, gas, maxFeePerGas, maxPriorityFeePerGas, ...rest} = fields;
			const big = {
				valueRaw: BigInt(valueRaw),
				gas: BigInt(gas),
				maxFeePerGas: BigInt(maxFeePerGas),
				maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
			};
			expect(await signer.signTransaction({...rest, ...big}, raw)).toEqual({raw, hash});
		}
	});

	test('counts a trade in dollars before it signs it, and signs none of no known worth', async () => {
		const dir = temporaryDirectory();
		const keystore = openKeystore(dir, 'practice');
		await keystore.create('me');
		const caps = openCaps(join(dir, 'caps.json'), {journal: openJournal(join(dir, 'spent.jsonl'))});
		const signer = createSigner({keystore, name: 'me', caps});
		const batch = batchOf(await signer.unlock());
		const sell = {
			...spend,
			symbol: 'PEPE',
			amountRaw: 10n ** 30n,
			trade: {side: 'sell' as const, usdMicro: 25_000_000n},
		};
		await signer.signBatch(batch, sell);
		expect(caps.spentToday('usd', 'sells', 6)).toBe(25_000_000n);
		for (const usdMicro of [undefined, 0n]) {
			const unknown = {
				...sell,
				id: 'other',
				trade: {side: 'sell' as const, ...(usdMicro === undefined ? {} : {usdMicro})},
			};
			await expect(signer.signBatch(batch, unknown)).rejects.toMatchObject({code: 'will-not-sign'});
		}
		const much = {...spend, id: 'much', trade: {side: 'buy' as const, usdMicro: 200_000_001n}};
		await expect(signer.signBatch(batch, much)).rejects.toMatchObject({code: 'cap-exceeded'});
		expect(caps.spentToday('usd', 'buys', 6)).toBe(0n);
	});

	test('signs a batch, an authorization, the texts of spec 5 and a transaction, each recovering to the wallet', async () => {
		const {signer} = await practiceSigner();
		const address = await signer.unlock();
		const batch = batchOf(address);

		const {signature} = await signer.signBatch(batch, spend);
		expect(await recoverTypedDataAddress({...batchTypedData(batch), signature})).toBe(address);

		const authorization = await signer.signAuthorization({chainId: 8453, address: EXECUTOR, nonce: 0});
		expect(await recoverAuthorizationAddress({authorization})).toBe(address);

		const personal = await signer.signPersonal({
			kind: 'perp-payload',
			action: 'cancel-order',
			timestampMs: 1_700_000_000_000,
		});
		expect(personal.text).toBe('api/2/perp/payloads/cancel-order-1700000000000');
		expect(await recoverMessageAddress({message: personal.text, signature: personal.signature})).toBe(address);
		const execute = await signer.signPersonal({kind: 'perp-execute', timestampMs: 5, payloadStr: '{"a":1}'});
		expect(execute.text).toBe('api/2/perp/execute-v2-5-{"a":1}');

		const {raw} = await signer.signTransaction(
			{
				chainId: 42161,
				to: EXECUTOR,
				data: '0x1234',
				valueRaw: 0n,
				nonce: 7,
				gas: 60_000n,
				maxFeePerGas: 100_000_000n,
				maxPriorityFeePerGas: 0n,
			},
			'cancel-1',
		);
		expect(parseTransaction(raw)).toMatchObject({
			type: 'eip1559',
			chainId: 42161,
			nonce: 7,
			gas: 60_000n,
			data: '0x1234',
		});
		expect(await recoverTransactionAddress({serializedTransaction: raw as `0x02${string}`})).toBe(address);
	});

	test('signs nothing before it is unlocked and after it is locked', async () => {
		const {signer} = await practiceSigner();
		const text = {kind: 'perp-payload', action: 'cancel-order', timestampMs: 1} as const;
		await expect(signer.signPersonal(text)).rejects.toMatchObject({code: 'wallet-locked', next: 'unlock'});
		await signer.unlock();
		signer.lock();
		await expect(signer.signPersonal(text)).rejects.toMatchObject({code: 'wallet-locked'});
	});

	test('locks when nothing is signed for a while, even if its timer is late', async () => {
		let now = 1_000_000;
		const {signer} = await practiceSigner({autoLockMs: 60_000, nowMs: () => now});
		await signer.unlock();
		now += 50_000;
		await signer.signPersonal({kind: 'perp-execute', timestampMs: 1, payloadStr: '{}'});
		now += 59_999;
		await signer.signPersonal({kind: 'perp-execute', timestampMs: 2, payloadStr: '{}'});
		now += 60_000;
		await expect(signer.signPersonal({kind: 'perp-execute', timestampMs: 3, payloadStr: '{}'})).rejects.toThrow(
			/locked/,
		);
		expect(signer.state).toMatchObject({status: 'locked', why: 'nothing was typed or signed for 60 s'});
	});

	test('stays locked after signing was locked, also against an unlock that was under way', async () => {
		const {signer} = await practiceSigner();
		const opening = signer.unlock();
		signer.lockSigning();
		await expect(opening).rejects.toMatchObject({code: 'wallet-locked'});
		await expect(signer.unlock()).rejects.toMatchObject({code: 'wallet-locked'});
		signer.lock();
		expect(signer.state.status).toBe('signing-locked');
	});

	test('refuses the batch of another account, an authorization for every chain, and a spend that is not the batch’s', async () => {
		const {signer} = await practiceSigner();
		const address = await signer.unlock();
		await expect(signer.signBatch(batchOf(EXECUTOR), spend)).rejects.toMatchObject({code: 'will-not-sign'});
		await expect(signer.signBatch(batchOf(address), {...spend, token: EXECUTOR})).rejects.toMatchObject({
			code: 'will-not-sign',
		});
		await expect(signer.signAuthorization({chainId: 0, address: EXECUTOR, nonce: 0})).rejects.toMatchObject({
			code: 'will-not-sign',
		});
	});

	test('wipes the passphrase that it is given, also a wrong one', async () => {
		const dir = temporaryDirectory();
		const keystore = openKeystore(dir, 'real', {cost: 1024});
		await keystore.create('me', new TextEncoder().encode('correct horse'));
		const signer = createSigner({
			keystore,
			name: 'me',
			caps: openCaps(join(dir, 'caps.json'), {journal: openJournal(join(dir, 'spent.jsonl'))}),
		});
		const wrong = new TextEncoder().encode('wrong passphrase');
		await expect(signer.unlock(wrong)).rejects.toMatchObject({code: 'wrong-passphrase'});
		expect(wrong.every(byte => byte === 0)).toBe(true);
	});

	test('writes every unlocking, locking and signature into the journal, and no signature or key', async () => {
		const dir = temporaryDirectory();
		const keystore = openKeystore(dir, 'practice');
		await keystore.create('me');
		const journal = openJournal(join(dir, 'journal.jsonl'));
		const signer = createSigner({
			keystore,
			name: 'me',
			caps: openCaps(join(dir, 'caps.json'), {journal: openJournal(join(dir, 'spent.jsonl'))}),
			journal,
		});
		await signer.unlock();
		const {signature} = await signer.signPersonal({kind: 'perp-execute', timestampMs: 1, payloadStr: '{}'});
		signer.lock();
		expect(journal.records().map(({kind, data}) => [kind, data['what'] ?? ''])).toEqual([
			['wallet.unlocked', ''],
			['wallet.signed', 'perp-execute'],
			['wallet.locked', ''],
		]);
		expect(readFileSync(join(dir, 'journal.jsonl'), 'utf8')).not.toContain(signature.slice(2, 66));
	});

	test('signs nothing past a limit, and leaves no key in what it writes', async () => {
		const {dir, keystore, signer} = await practiceSigner();
		const address = await signer.unlock();
		await expect(signer.signBatch(batchOf(address), {...spend, amountRaw: 1_000_000_001n})).rejects.toMatchObject({
			code: 'cap-exceeded',
			why: '1000.000001 USDC is more than 1000 USDC for one transaction',
		});
		await signer.signBatch(batchOf(address), spend);
		const key = await keystore.open('me');
		const hex = key.withSecret(secret => secret.toString('hex'));
		expect(readFileSync(join(dir, 'spent.jsonl'), 'utf8')).not.toContain(hex);
		expect(readFileSync(join(dir, 'practice', 'keys', 'me.json'), 'utf8')).not.toContain(hex);
	});
});
