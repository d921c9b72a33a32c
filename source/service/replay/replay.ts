import {ENDPOINTS, type EndpointId} from '../../contract/endpoints.ts';
import {servedEndpoints, serveRaw} from '../endpoint-route.ts';
import {healthRoutes} from '../health.ts';
import {Refused} from '../http-error.ts';
import {labelsRoutes} from '../labels/routes.ts';
import {metadataRoutes} from '../metadata/routes.ts';
import {pulseRoutes} from '../pulse/routes.ts';
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

/** Refuses every other call of the API: a recording holds the feed and nothing else. */
const refusals: RouteModule = {
	register(app) {
		const served = new Set(servedEndpoints(app));
		for (const id of Object.keys(ENDPOINTS) as EndpointId[]) {
			if (served.has(id)) continue;
			serveRaw(app, id, () => {
				throw new Refused(
					404,
					'This is a recording: it holds the feed and nothing else, and nothing can be done in it',
				);
			});
		}
	},
};

/** The routes of a service that plays a recording: no money, no webhooks, no prediction markets. */
export const replayModules: readonly RouteModule[] = [
	healthRoutes,
	pulseRoutes,
	labelsRoutes,
	sparklineRoutes,
	metadataRoutes,
	refusals,
];
