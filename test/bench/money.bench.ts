import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {recoverAuthorizationAddress, recoverTypedDataAddress} from 'viem/utils';
import {tableText} from '../../source/commands/table.ts';
import {batchTypedData, perpPayloadText} from '../../source/contract/typed-data.ts';
import {createChainSet} from '../../source/service/chain/chain-set.ts';
import {
	type AuthorizationTuple,
	recoverAuthorizationSigner,
	recoverMessageSigner,
	recoverTypedDataSigner,
} from '../../source/service/chain/recover.ts';
import {openDatabase} from '../../source/service/store/database.ts';
import {createSignatureStore} from '../../source/service/store/signatures.ts';
import {bodyOf, fundedUser, openBench, quoteOf} from '../service/bridge/bridge-client.ts';

/*
 * What the money flows cost: the start of the chains, the checks of an execute, and a transfer from the request to the
 * funds, everything on real practice chains and with the store on the disk.
 */

// The waits of the service itself must not keep a process: here they are all there is.
const alive = setInterval(() => {}, 1000);
const rows: string[][] = [];

function note(what: string, times: number[]): void {
	const sorted = times.toSorted((a, b) => a - b);
	const at = (part: number) =>
		`${sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!.toFixed(2)} ms`;
	rows.push([what, at(0.5), at(0.95), String(times.length)]);
}

async function measure(what: string, count: number, act: (i: number) => unknown): Promise<void> {
	const times: number[] = [];
	for (let i = 0; i < count; i++) {
		const from = performance.now();
		await act(i);
		times.push(performance.now() - from);
	}
	note(what, times);
}

await measure('three chains: start, deploy, fund', 5, async () => {
	const chains = createChainSet();
	await Promise.all(chains.infos.map(({id}) => chains.ready(id)));
	await chains.close();
});

const directory = mkdtempSync(join(tmpdir(), 'pulsetop-bench-'));
const database = openDatabase(directory);
const signatures = createSignatureStore(database);
await measure('a signature marked as used, on the disk', 200, i =>
	signatures.use(`0x${i}`, Date.now() + 60_000, Date.now()),
);
database.close();
rmSync(directory, {recursive: true});

const bench = await openBench();
const user = await fundedUser(bench);
const quote = await quoteOf(bench, user);
const body = await bodyOf(bench, user, quote);
const typedData = batchTypedData(body);
const tuple = body.authorizationList![0] as AuthorizationTuple;
const text = perpPayloadText('cancel-order', Date.now());
const signature = await user.signMessage({message: text});
await measure('signer of a batch', 300, () => recoverTypedDataSigner(typedData, body.batchSignature));
await measure('the same by viem', 100, () =>
	recoverTypedDataAddress({...typedData, signature: body.batchSignature as `0x${string}`}),
);
await measure('signer of an authorization', 300, () => recoverAuthorizationSigner(tuple));
await measure('the same by viem', 100, () => recoverAuthorizationAddress({authorization: tuple}));
await measure('signer of a text', 300, () => recoverMessageSigner(text, signature));

await measure('gasless quote', 100, () => quoteOf(bench, user, {amount: '1'}));
const users = await Promise.all(Array.from({length: 60}, () => fundedUser(bench)));
const signed = await Promise.all(
	users.map(async one => {
		const own = await quoteOf(bench, one);
		return {intentId: own.intentId, body: await bodyOf(bench, one, own)};
	}),
);
await measure('execute, answered', 30, i => bench.bridge.execute(signed[i]!.body));
await measure('execute, funds arrived', 30, async i => {
	const one = signed[30 + i]!;
	await bench.bridge.execute(one.body);
	await bench.bridge.wait(one.intentId);
});
await bench.close();
const column = (title: string, at: number) => ({
	title,
	cell: (row: readonly string[]) => row[at]!,
	...(at === 0 ? {} : {align: 'right' as const}),
});
console.log(tableText(['', 'p50', 'p95', 'times'].map(column), rows));
clearInterval(alive);
