import {readFileSync} from 'node:fs';

/** Logs and accounts of Solana's main network that public repositories hold; each names its source. */
export interface LogVector {
	readonly name: string;
	readonly source: string;
	readonly signature?: string;
	readonly slot?: number;
	readonly blockTime?: number;
	readonly lines: readonly string[];
}

export interface AccountVector {
	readonly name: string;
	readonly source: string;
	readonly address: string;
	readonly mint?: string;
	readonly owner: string;
	readonly data: string;
}

const read = (file: string): unknown =>
	JSON.parse(readFileSync(new URL(`../../../../vectors/solana/${file}`, import.meta.url), 'utf8'));

const LOGS = read('logs.json') as readonly LogVector[];
const ACCOUNTS = read('accounts.json') as readonly AccountVector[];

export function logVector(name: string): LogVector {
	const found = LOGS.find(vector => vector.name === name);
	if (!found) throw new Error(`no vector ${name}`);
	return found;
}

export function accountVector(name: string): AccountVector & {readonly bytes: Uint8Array} {
	const found = ACCOUNTS.find(vector => vector.name === name);
	if (!found) throw new Error(`no vector ${name}`);
	return {...found, bytes: Buffer.from(found.data, 'base64')};
}
