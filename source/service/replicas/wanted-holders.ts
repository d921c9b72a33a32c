import type {Database} from '../store/database.ts';
import type {Leaders} from './leader.ts';

/** Tokens whose holders clients look at, forwarded to the replica that leads their chain. */
export interface WantedHolders {
	want(chainId: string, token: string): void;
	/** Stops to listen. */
	close(): void;
}

export interface WantedHoldersOptions {
	readonly database: Pick<Database, 'listen' | 'notify'>;
	readonly leaders: Pick<Leaders, 'leads' | 'holdersWanted'>;
	/** How long tokens are collected for one notification, in milliseconds. */
	readonly collectMs?: number;
}

const CHANNEL = 'holders_wanted';
/** Maximum number of tokens in a notification, the newest ones: a source of holders keeps no more, and PostgreSQL sends 8000 bytes. */
const MAX_TOKENS = 20;

/**
 * Forwards what is looked at by notifications of the database. One that is lost is repeated when the token is looked at again, at
 * most every 15 seconds.
 */
export function openWantedHolders({database, leaders, collectMs = 200}: WantedHoldersOptions): WantedHolders {
	/** `CHAIN TOKEN`, newest last. */
	const wanted = new Set<string>();
	let timer: NodeJS.Timeout | undefined;
	const send = (): void => {
		timer = undefined;
		const text = [...wanted].join('\n');
		wanted.clear();
		database.notify(CHANNEL, text).catch(() => {});
	};
	const stop = database.listen(CHANNEL, text => {
		for (const line of text.split('\n')) {
			const [chainId, token] = line.split(' ');
			if (chainId && token && leaders.leads(chainId)) leaders.holdersWanted(chainId, token);
		}
	});
	return {
		want(chainId, token) {
			if (leaders.leads(chainId)) return leaders.holdersWanted(chainId, token);
			const line = `${chainId} ${token}`;
			wanted.delete(line);
			wanted.add(line);
			if (wanted.size > MAX_TOKENS) wanted.delete(wanted.values().next().value!);
			timer ??= setTimeout(send, collectMs).unref();
		},
		close() {
			clearTimeout(timer);
			stop();
		},
	};
}
