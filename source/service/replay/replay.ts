import {healthRoutes} from '../health.ts';
import {labelsRoutes} from '../labels/routes.ts';
import {metadataRoutes} from '../metadata/routes.ts';
import {pulseRoutes} from '../pulse/routes.ts';
import {refuseTheRest} from '../refuse-the-rest.ts';
import type {RouteModule} from '../service-context.ts';
import {sparklineRoutes} from '../sparkline/routes.ts';
import {type Playback, Player, type ReplayOptions} from './player.ts';
import {RecordedMarket} from './recorded-market.ts';

/** A recording that is played. */
export interface Replay {
	readonly market: RecordedMarket;
	/** Starts the clock. */
	play(): void;
	stop(): void;
}

/**
 * Opens a recording; resolves when its first rows are there.
 * @param report called with each change of the playback
 * @throws RecordingUnreadable
 */
export async function startReplay(options: ReplayOptions, report: (playback: Playback) => void): Promise<Replay> {
	const player = new Player(options, report);
	const market = new RecordedMarket(() => player.nowMs());
	await player.start(market);
	return {market, play: () => player.play(), stop: () => player.stop()};
}

/** The routes of a service that plays a recording: no money, no webhooks, no prediction markets. */
export const replayModules: readonly RouteModule[] = [
	healthRoutes,
	pulseRoutes,
	labelsRoutes,
	sparklineRoutes,
	metadataRoutes,
	refuseTheRest('This is a recording: it holds the feed and nothing else, and nothing can be done in it'),
];
