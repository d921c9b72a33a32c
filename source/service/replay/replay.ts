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

/** A recording that is being played. */
export interface Replay {
	readonly market: RecordedMarket;
	/** Somebody looks: time begins to pass. */
	play(): void;
	stop(): void;
}

/**
 * Opens a recording; returns when its first rows are there.
 * @param tell called with each turn of the playing
 * @throws RecordingUnreadable
 */
export async function startReplay(options: ReplayOptions, tell: (playback: Playback) => void): Promise<Replay> {
	const player = new Player(options, tell);
	const market = new RecordedMarket(() => player.nowMs());
	await player.start(market);
	return {market, play: () => player.play(), stop: () => player.stop()};
}

/** Every other call of the API is refused with a reason: what was recorded is the past, in which nothing can be done. */
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

/** What a service answers that plays a recording: no money, no webhooks, no markets. */
export const replayModules: readonly RouteModule[] = [
	healthRoutes,
	pulseRoutes,
	labelsRoutes,
	sparklineRoutes,
	metadataRoutes,
	refusals,
];
