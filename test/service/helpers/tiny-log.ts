import type {MarketLog} from '../../../source/service/market/market.ts';

/** A market log that a test moves on by hand. */
export class TinyLog implements MarketLog {
	readonly epoch: string;
	/** The newest entry. */
	head = 0;
	unbroken = 0;
	stale: number | undefined;
	ready = true;

	constructor(epoch = 'e1') {
		this.epoch = epoch;
	}

	seq = (): number => this.head;
	unbrokenSeq = (): number => this.unbroken;
	staleMs = (): number | undefined => this.stale;
	isReady = (): boolean => this.ready;
	isReadable = (): boolean => true;
}
