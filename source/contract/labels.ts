import * as z from 'zod';
import {once} from './schema.ts';

/** Most wallets in one request. */
export const MAX_LABELLED_WALLETS = 100;

/** Body of POST /api/1/wallet/labels (spec 4.10). With `tokenAddress` the labels are relative to that token. */
export const labelsBodySchema = once(() =>
	z.looseObject({
		walletAddresses: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(MAX_LABELLED_WALLETS)]),
		tokenAddress: z.string().min(1).optional(),
	}),
);

const walletMetadata = once(() =>
	z.object({
		entityName: z.string().nullish(),
		entityLogo: z.string().nullish(),
		entityLabels: z.array(z.string()),
		entityType: z.string().nullish(),
		entityDescription: z.string().nullish(),
		entityTwitter: z.string().nullish(),
		entityWebsite: z.string().nullish(),
		entityGithub: z.string().nullish(),
		entityDiscord: z.string().nullish(),
		entityTelegram: z.string().nullish(),
	}),
);

/** Everything known of one wallet (spec 2.2). */
export const walletLabelsSchema = once(() =>
	z.object({
		walletAddress: z.string(),
		labels: z.array(z.string()),
		walletMetadata: walletMetadata().nullish(),
		platform: z.object({id: z.string(), name: z.string(), logo: z.string().nullish()}).nullish(),
		fundingInfo: z
			.object({
				from: z.string().nullish(),
				date: z.string().nullish(),
				chainId: z.string().nullish(),
				txHash: z.string().nullish(),
				formattedAmount: z.number().nullish(),
				currency: z
					.object({
						name: z.string().nullish(),
						symbol: z.string().nullish(),
						logo: z.string().nullish(),
						decimals: z.number().nullish(),
						address: z.string().nullish(),
					})
					.nullish(),
				fromWalletTag: z.string().nullish(),
				fromWalletLogo: z.string().nullish(),
				fromWalletMetadata: walletMetadata()
					.extend({extra: z.record(z.string(), z.unknown()).nullish()})
					.nullish(),
			})
			.nullish(),
	}),
);

export type WalletLabels = z.input<ReturnType<typeof walletLabelsSchema>>;

/** One record for each requested wallet, in the order of the request; an unknown wallet has no labels. */
export const labelsResponseSchema = once(() => z.object({data: z.array(walletLabelsSchema())}));
