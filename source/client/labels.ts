/** What a service knows of a wallet (spec 2.2), clean, with what it does not know left out. */
export interface WalletLabels {
	/** As it was asked for. */
	readonly address: string;
	/** Label kinds, `sniper`, `proTrader`, ...; unknown kinds pass (contract gaps 9). Empty for a wallet without any. */
	readonly labels: readonly string[];
	readonly entity?: WalletEntity;
	readonly platform?: {readonly id?: string; readonly name?: string; readonly logo?: string};
	readonly funding?: WalletFunding;
	/** When this was fetched, `Date.now()` scale. */
	readonly atMs: number;
}

/** Who stands behind a wallet. Links are http(s). */
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

/** Where a wallet's first money came from. */
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
