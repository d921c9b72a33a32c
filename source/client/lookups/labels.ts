import QuickLRU from 'quick-lru';
import {foldAddress} from '../../address.ts';
import {defined} from '../../defined.ts';
import {steadyNow} from '../../steady-clock.ts';
import type {Http} from '../http/http.ts';
import {InvalidResponse} from '../http/service-errors.ts';
import {
	isObject,
	toDate,
	toIdentifier,
	toNumber,
	toProfileUrl,
	toText,
	toUrl,
	type WireObject,
} from '../wire/wire-value.ts';

/** The service's record of a wallet (spec 2.2), clean; unknown members are absent. */
export interface WalletLabels {
	/** As requested. */
	readonly address: string;
	/** Label kinds, `sniper`, `proTrader`, ...; kinds unknown to this program included (contract gaps 9). Absent when not reported. */
	readonly labels?: readonly string[];
	readonly entity?: WalletEntity;
	readonly platform?: {readonly id?: string; readonly name?: string; readonly logo?: string};
	readonly funding?: WalletFunding;
	/** When the labels were fetched, `steadyNow()` scale. */
	readonly atMs: number;
}

/** The owner of a wallet. Links are http(s). */
export interface WalletEntity {
	readonly name?: string;
	readonly type?: string;
	readonly description?: string;
	readonly labels: readonly string[];
	readonly logo?: string;
	readonly twitter?: string;
	readonly website?: string;
	readonly github?: string;
	readonly discord?: string;
	readonly telegram?: string;
}

/** The source of a wallet's first funds. */
export interface WalletFunding {
	readonly from?: string;
	readonly fromTag?: string;
	readonly fromEntity?: WalletEntity;
	/** Unix milliseconds. */
	readonly date?: number;
	readonly chainId?: string;
	readonly txHash?: string;
	/** In units of the currency. */
	readonly amount?: number;
	readonly currency?: {
		readonly symbol?: string;
		readonly name?: string;
		readonly decimals?: number;
		readonly address?: string;
	};
}

/** Caches labels, so that moving between tokens does not request the same wallets again. */
export interface LabelCache {
	/**
	 * Records by address as requested, without labels for a wallet that the response leaves out.
	 * @throws as Http.json
	 */
	lookUp(
		addresses: readonly string[],
		options?: {token?: string | undefined; maxAgeMs?: number | undefined; signal?: AbortSignal | undefined},
	): Promise<ReadonlyMap<string, WalletLabels>>;
}

const LABELS_PATH = '/api/1/wallet/labels';
/** Maximum number of wallets in one request (contract gaps 9). */
const BATCH = 100;
const MAX_REMEMBERED = 5_000;
const MAX_AGE_MS = 60_000;
const MAX_LABELS = 40;

/** Makes an empty cache. */
export function createLabelCache(http: Http): LabelCache {
	const remembered = new QuickLRU<string, WalletLabels>({maxSize: MAX_REMEMBERED});

	async function fetchLabels(
		addresses: readonly string[],
		token: string | undefined,
		signal: AbortSignal | undefined,
	): Promise<void> {
		const body = {walletAddresses: addresses, ...(token === undefined ? {} : {tokenAddress: token})};
		const response = await http.json({method: 'POST', path: LABELS_PATH, body, retry: 'read', signal});
		const atMs = steadyNow();
		const records = recordsOf(response.body);
		for (const address of addresses) {
			const record = records.get(foldAddress(address));
			remembered.set(keyOf(address, token), readLabels(address, record ?? {}, atMs));
		}
	}

	return {
		async lookUp(addresses, {token, maxAgeMs = MAX_AGE_MS, signal} = {}) {
			const wallets = [...new Set(addresses)];
			const found = new Map<string, WalletLabels>();
			const since = steadyNow() - maxAgeMs;
			const isFresh = (address: string) => (remembered.get(keyOf(address, token))?.atMs ?? 0) >= since;
			const missing = wallets.filter(address => !isFresh(address));
			for (let at = 0; at < missing.length; at += BATCH)
				await fetchLabels(missing.slice(at, at + BATCH), token, signal);
			for (const address of wallets) {
				const labels = remembered.get(keyOf(address, token));
				if (labels) found.set(address, labels);
			}
			return found;
		},
	};
}

function keyOf(address: string, token: string | undefined): string {
	return `${foldAddress(token ?? '')}|${foldAddress(address)}`;
}

function recordsOf(body: unknown): Map<string, WireObject> {
	const list = isObject(body) ? (body['data'] ?? body['payload']) : body;
	if (!Array.isArray(list)) throw new InvalidResponse('it holds no list of wallets');
	const records = new Map<string, WireObject>();
	for (const record of list) {
		if (isObject(record) && typeof record['walletAddress'] === 'string')
			records.set(foldAddress(record['walletAddress']), record);
	}
	return records;
}

function readLabels(address: string, wire: WireObject, atMs: number): WalletLabels {
	const platform = isObject(wire['platform']) ? wire['platform'] : undefined;
	const entity = readEntity(wire['walletMetadata']);
	const funding = readFunding(wire['fundingInfo']);
	return {
		address,
		...(Array.isArray(wire['labels']) && {labels: readList(wire['labels'])}),
		...(entity && {entity}),
		...(platform && {
			platform: defined({
				id: toText(platform['id'], 64),
				name: toText(platform['name'], 64),
				logo: toUrl(platform['logo']),
			}),
		}),
		...(funding && {funding}),
		atMs,
	};
}

function readEntity(wire: unknown): WalletEntity | undefined {
	if (!isObject(wire)) return undefined;
	const entity = defined({
		name: toText(wire['entityName'], 128),
		type: toText(wire['entityType'], 64),
		description: toText(wire['entityDescription'], 1000),
		logo: toUrl(wire['entityLogo']),
		twitter: toProfileUrl(wire['entityTwitter'], 'x.com'),
		website: toUrl(wire['entityWebsite']),
		github: toProfileUrl(wire['entityGithub'], 'github.com'),
		discord: toUrl(wire['entityDiscord']),
		telegram: toProfileUrl(wire['entityTelegram'], 't.me'),
	});
	const labels = readList(wire['entityLabels']);
	return Object.keys(entity).length + labels.length === 0 ? undefined : {...entity, labels};
}

function readFunding(wire: unknown): WalletFunding | undefined {
	if (!isObject(wire)) return undefined;
	const currency = isObject(wire['currency']) ? wire['currency'] : undefined;
	const entity = readEntity(wire['fromWalletMetadata']);
	const funding = {
		...defined({
			from: toIdentifier(wire['from']),
			fromTag: toText(wire['fromWalletTag'], 128),
			date: toDate(wire['date']),
			chainId: toIdentifier(wire['chainId']),
			txHash: toIdentifier(wire['txHash']),
			amount: toNumber(wire['formattedAmount']),
		}),
		...(entity && {fromEntity: entity}),
		...(currency && {
			currency: defined({
				symbol: toText(currency['symbol'], 64),
				name: toText(currency['name'], 128),
				decimals: toNumber(currency['decimals']),
				address: toIdentifier(currency['address']),
			}),
		}),
	};
	return Object.keys(funding).length === 0 ? undefined : funding;
}

function readList(wire: unknown): readonly string[] {
	if (!Array.isArray(wire)) return [];
	return wire
		.slice(0, MAX_LABELS)
		.map(label => toText(label, 64))
		.filter(label => label !== undefined);
}
