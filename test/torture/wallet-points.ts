import type {Client} from '../../source/client/client.ts';
import type {Journal} from '../../source/trading/journal.ts';

/** Where a wallet ends itself with -9, in the order of a trade. */
export const POINTS = [
	/** The quote was confirmed. */
	'quoted',
	/** The claim is in the journal. */
	'claimed',
	/** It is counted against the limits, and about to be signed. */
	'counted',
	/** The batch is signed, and about to be sent. */
	'signed',
	/** The request is on its way, or at the service. */
	'posted',
	/** The service has taken it, and nobody here has read that. */
	'accepted',
	/** The answer is in the journal. */
	'answered',
	/** A status is asked for. */
	'reading',
	/** A chain has shown the end, and it is written nowhere. */
	'seen',
	/** The end is in the journal, and nothing was done since. */
	'settled',
] as const;

export type Point = (typeof POINTS)[number];

const ENDS: ReadonlySet<unknown> = new Set(['filled', 'settled', 'refunded', 'failed', 'refused', 'lapsed']);
/** A request that is to be cut lives at most so long. */
const CUT_MS = 40;

/** Ends this process when it reaches its point. */
export class KillPoint {
	readonly #point: Point | undefined;
	readonly #random: () => number;

	/** @param point undefined: it never does */
	constructor(point: Point | undefined, random: () => number) {
		this.#point = point;
		this.#random = random;
	}

	reached(point: Point): void {
		if (point === this.#point) die();
	}

	/** A client whose calls are points. */
	watchedClient({call, clock}: Client): Pick<Client, 'call' | 'clock'> {
		const watched: Client['call'] = async (id, ...given) => {
			const isStatus = id === 'bridgeStatus' || id === 'bridgeStatusWait';
			if (id === 'bridgeExecute') this.reached('signed');
			if (this.#point === (isStatus ? 'reading' : id === 'bridgeExecute' ? 'posted' : undefined)) {
				setTimeout(die, this.#random() * CUT_MS);
				await call(id, ...given).catch(() => {});
				die();
			}
			const answer = await call(id, ...given);
			if (id === 'bridgeExecute') this.reached('accepted');
			return answer;
		};
		return {call: watched, clock};
	}

	/** Makes the records of a journal points. */
	watch(journal: Journal): void {
		const claim = journal.claim.bind(journal);
		journal.claim = (kind, id, data, isFree) => {
			const isEnd = kind === 'bridge.status' && ENDS.has(data['phase']);
			if (isEnd) this.reached('seen');
			const record = claim(kind, id, data, isFree);
			if (record === undefined) return undefined;
			if (kind === 'bridge.intended') this.reached('claimed');
			if (kind === 'wallet.signed' && data['what'] === 'batch') this.reached('counted');
			if (kind === 'bridge.answered') this.reached('answered');
			if (isEnd) this.reached('settled');
			return record;
		};
	}
}

function die(): never {
	process.kill(process.pid, 'SIGKILL');
	throw new Error('a signal came late');
}
