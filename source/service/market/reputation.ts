import type {Token} from './token.ts';

interface Deployer {
	tokens: number;
	migrations: number;
	kept: readonly Token[];
}

const NO_TOKENS: readonly Token[] = [];

/** What is counted over several tokens: a deployer's launches and migrations, and the reuse of one Twitter account. */
export class Reputation {
	readonly #deployers = new Map<number, Deployer>();
	readonly #handles = new Map<string, readonly Token[]>();
	readonly #touched: (row: number) => void;

	/** @param touched hears of every row whose counts have changed */
	constructor(touched: (row: number) => void) {
		this.#touched = touched;
	}

	/** Tokens launched by a deployer, as long as one of them is kept. */
	tokensOf(deployer: number): number {
		return this.#deployers.get(deployer)?.tokens ?? 0;
	}

	migrationsOf(deployer: number): number {
		return this.#deployers.get(deployer)?.migrations ?? 0;
	}

	/** How many OTHER kept tokens name the same Twitter account. */
	reusesOf(twitter: string | null | undefined): number {
		if (!twitter) return 0;
		return Math.max(0, (this.#handles.get(handleOf(twitter))?.length ?? 0) - 1);
	}

	launched(deployer: number, token: Token): void {
		const record = this.#deployers.get(deployer) ?? {tokens: 0, migrations: 0, kept: NO_TOKENS};
		this.#deployers.set(deployer, record);
		record.tokens++;
		// concat makes a list of exactly the length it needs; one that grows by push has room for 17.
		record.kept = record.kept.concat(token);
		this.#touchAll(record.kept);
	}

	migrated(token: Token): void {
		const record = this.#deployers.get(token.deployer);
		if (!record) return;
		record.migrations++;
		this.#touchAll(record.kept);
	}

	/** Notes that a token's link changed from one account to another. */
	linked(token: Token, before: string | undefined, after: string | undefined): void {
		if (before && after && handleOf(before) === handleOf(after)) return;
		if (before) this.#unlink(token, before);
		if (!after) return;
		const handle = handleOf(after);
		const tokens = (this.#handles.get(handle) ?? NO_TOKENS).concat(token);
		this.#handles.set(handle, tokens);
		if (tokens.length > 1) this.#touchAll(tokens);
	}

	dropped(token: Token): void {
		if (token.profile.twitter) this.#unlink(token, token.profile.twitter);
		const record = this.#deployers.get(token.deployer);
		if (!record) return;
		record.kept = record.kept.filter(kept => kept !== token);
		if (record.kept.length === 0) this.#deployers.delete(token.deployer);
	}

	#unlink(token: Token, twitter: string): void {
		const handle = handleOf(twitter);
		const tokens = this.#handles.get(handle)?.filter(kept => kept !== token) ?? [];
		if (tokens.length === 0) this.#handles.delete(handle);
		else this.#handles.set(handle, tokens);
		this.#touchAll(tokens);
	}

	#touchAll(tokens: readonly Token[]): void {
		for (const token of tokens) this.#touched(token.row);
	}
}

/** `https://x.com/Name/status/1` and `twitter.com/name` are one account. */
function handleOf(twitter: string): string {
	return twitter
		.toLowerCase()
		.replace(/^https?:\/\//, '')
		.replace(/^(?:www\.)?(?:x|twitter)\.com\//, '')
		.replace(/[/?#].*$/s, '');
}
