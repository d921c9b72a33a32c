import type {WalletLabels} from '../../contract/labels.ts';
import {checksummed} from './address.ts';
import type {Engine} from './engine.ts';
import type {QuoteCoin} from './events.ts';
import {holderTags, walletTags} from './holder-list.ts';
import type {Token} from './token.ts';

/** Facts about wallets from outside their chains. */
export interface Directory {
	entityOf(address: string): Entity | undefined;
	platform(id: string): {readonly id: string; readonly name: string; readonly logo: string} | undefined;
}

/** A known person or company behind a wallet. */
export interface Entity {
	readonly name: string;
	readonly logo: string | null;
	readonly type: string;
	readonly labels: readonly string[];
	readonly description: string | null;
	readonly twitter: string | null;
	readonly website: string | null;
}

/**
 * The label record of one wallet (spec 2.2).
 * @param address as the request has it, returned unchanged
 * @param token the roles are those in this token; without one, those that the wallet had in any token
 */
export function walletRecord(engine: Engine, directory: Directory, address: string, token?: Token): WalletLabels {
	const wallet = engine.wallets.find(address);
	const entity = directory.entityOf(address);
	const labels = wallet === undefined ? [] : token ? labelsIn(engine, wallet, token) : labelsAnywhere(engine, wallet);
	if (entity?.type === 'locker') labels.push('locker');
	if (wallet === undefined && engine.catalog.isPool(address)) labels.push('liquidityPool');
	const platform = wallet === undefined ? undefined : engine.wallets.platform(wallet);
	return {
		walletAddress: address,
		labels,
		walletMetadata: entity ? metadata(entity) : null,
		platform: (platform ? directory.platform(platform) : undefined) ?? null,
		fundingInfo: wallet === undefined ? null : fundingInfo(engine, directory, wallet),
	};
}

function labelsIn(engine: Engine, wallet: number, token: Token): string[] {
	const {positions, departed} = engine;
	const slot = positions.find(token.row, wallet);
	if (slot >= 0) return holderTags(engine, positions.roles[slot]!, wallet);
	const left = departed.find(token.row, wallet);
	if (left >= 0) return holderTags(engine, departed.roles[left]!, wallet);
	return token.deployer === wallet ? ['dev', ...walletTags(engine, wallet)] : walletTags(engine, wallet);
}

function labelsAnywhere(engine: Engine, wallet: number): string[] {
	const {wallets, reputation} = engine;
	const labels: string[] = [];
	if (reputation.tokensOf(wallet) > 0) labels.push('dev');
	if (wallets.snipes[wallet]! > 0) labels.push('sniper');
	if (wallets.insides[wallet]! > 0) labels.push('insider');
	if (wallets.bundles[wallet]! > 0) labels.push('bundler');
	return [...labels, ...walletTags(engine, wallet)];
}

function fundingInfo(engine: Engine, directory: Directory, wallet: number): WalletLabels['fundingInfo'] {
	const funding = engine.wallets.funding(wallet);
	if (!funding) return null;
	const from = directory.entityOf(funding.from);
	return {
		from: checksummed(funding.from),
		date: new Date(funding.timeMs).toISOString(),
		chainId: funding.chainId,
		txHash: funding.tx,
		formattedAmount: funding.amount,
		currency: currency(funding.coin),
		fromWalletTag: from?.name ?? null,
		fromWalletLogo: from?.logo ?? null,
		fromWalletMetadata: from ? {...metadata(from), extra: {}} : null,
	};
}

function currency({name, symbol, decimals, address}: QuoteCoin) {
	return {name, symbol, logo: null, decimals, address};
}

function metadata(entity: Entity) {
	return {
		entityName: entity.name,
		entityLogo: entity.logo,
		entityLabels: [...entity.labels],
		entityType: entity.type,
		entityDescription: entity.description,
		entityTwitter: entity.twitter,
		entityWebsite: entity.website,
		entityGithub: null,
		entityDiscord: null,
		entityTelegram: null,
	};
}
