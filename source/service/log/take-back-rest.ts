import type {EventSink} from '../market/event-source.ts';
import type {LogMarket} from './log-market.ts';

/**
 * Takes back the records of a chain after its last batch, such as a gap: a source that is opened again goes on behind that batch, and
 * writes them again.
 * @throws the errors of EventSink.takeBack
 */
export async function takeBackRest(
	chainId: string,
	sink: Pick<EventSink, 'takeBack'>,
	market: Pick<LogMarket, 'resumeOf'>,
): Promise<void> {
	const last = market.resumeOf().get(chainId);
	if (last) await sink.takeBack(chainId, last.toBlock + 1);
}
