import type {Image} from './image.ts';
import {Rings} from './rings.ts';
import {grown} from './segments.ts';
import {TextIndex} from './text-index.ts';

interface Deployer {
	tokens: number;
	migrations: number;
	/** One of the deployer's rows; the others are in its ring. */
	row: number;
}

/**
 * Counts over several tokens: a deployer's launches and migrations, and the reuse of one Twitter account. Tokens are
 * named by their main rows.
 */
export class Reputation {
	#deployers = new Map<number, Deployer>();
	readonly #byDeployer = new Rings();
	/** One row of each account; the others are in its ring. */
	readonly #accounts = new TextIndex();
	readonly #byAccount = new Rings();
	/** By row: how many OTHER tokens name its account. */
	#reuses = new Uint32Array(0);
	readonly #twitterOf: (row: number) => string | null | undefined;
	readonly #touched: (row: number) => void;

	/**
	 * @param twitterOf the link of a token that was passed to `linked`
	 * @param touched called with every row whose counts have changed
	 */
	constructor(twitterOf: (row: number) => string | null | undefined, touched: (row: number) => void) {
		this.#twitterOf = twitterOf;
		this.#touched = touched;
	}

	/** Makes room for rows. */
	reserveRows(rows: number): void {
		this.#byDeployer.reserveRows(rows);
		this.#accounts.reserveRows(rows);
		this.#byAccount.reserveRows(rows);
		this.#reuses = grown(this.#reuses, rows);
	}

	/** See Image. */
	pass(image: Image): void {
		this.#deployers = image.value(this.#deployers);
		this.#byDeployer.pass(image);
		this.#accounts.pass(image);
		this.#byAccount.pass(image);
		this.#reuses = image.column(this.#reuses);
	}

	/** Tokens launched by a deployer; 0 when none of them is kept. */
	tokensOf(deployer: number): number {
		return this.#deployers.get(deployer)?.tokens ?? 0;
	}

	migrationsOf(deployer: number): number {
		return this.#deployers.get(deployer)?.migrations ?? 0;
	}

	/** How many other kept tokens name the same Twitter account as this one. */
	reusesOf(row: number): number {
		return this.#reuses[row]!;
	}

	launched(deployer: number, row: number): void {
		const record = this.#deployers.get(deployer);
		if (record) {
			record.tokens++;
			this.#byDeployer.join(row, record.row);
		} else {
			this.#deployers.set(deployer, {tokens: 1, migrations: 0, row});
			this.#byDeployer.start(row);
		}
		for (const own of this.#byDeployer.of(row)) this.#touched(own);
	}

	migrated(deployer: number): void {
		const record = this.#deployers.get(deployer);
		if (!record) return;
		record.migrations++;
		for (const own of this.#byDeployer.of(record.row)) this.#touched(own);
	}

	/** Notes that a token's link changed from one account to another. */
	linked(row: number, before: string | null | undefined, after: string | null | undefined): void {
		if (before && after && accountOf(before) === accountOf(after)) return;
		if (before) this.#unlink(row, before);
		if (!after) return;
		const account = accountOf(after);
		const member = this.#accounts.find(account, other => accountOf(this.#twitterOf(other) ?? '') === account);
		if (member === undefined) {
			this.#accounts.add(account, row);
			this.#byAccount.start(row);
			return;
		}
		this.#byAccount.join(row, member);
		this.#recount(row);
	}

	dropped(row: number, deployer: number, twitter: string | null | undefined): void {
		if (twitter) this.#unlink(row, twitter);
		const record = this.#deployers.get(deployer);
		if (!record) return;
		const other = this.#byDeployer.leave(row);
		if (other === undefined) this.#deployers.delete(deployer);
		else record.row = other;
	}

	/** As `dropped`, and the deployer never launched the token, nor did it migrate. */
	forgotten(row: number, deployer: number, twitter: string | null | undefined, migrations: number): void {
		const record = this.#deployers.get(deployer);
		if (record) {
			record.tokens--;
			record.migrations -= migrations;
		}
		this.dropped(row, deployer, twitter);
		if (!record || record.tokens === 0) return;
		for (const own of this.#byDeployer.of(record.row)) this.#touched(own);
	}

	#unlink(row: number, twitter: string): void {
		const other = this.#byAccount.leave(row);
		this.#reuses[row] = 0;
		// The row may have been the one that stands for the account.
		const wasFirst = this.#accounts.remove(row);
		if (other === undefined) return;
		if (wasFirst) this.#accounts.add(accountOf(twitter), other);
		this.#recount(other);
	}

	#recount(member: number): void {
		const rows = [...this.#byAccount.of(member)];
		for (const row of rows) {
			this.#reuses[row] = rows.length - 1;
			this.#touched(row);
		}
	}
}

/** `https://x.com/Name/status/1` and `twitter.com/name` are one account. */
function accountOf(twitter: string): string {
	return twitter
		.toLowerCase()
		.replace(/^https?:\/\//, '')
		.replace(/^(?:www\.)?(?:x|twitter)\.com\//, '')
		.replace(/[/?#].*$/s, '');
}
