import type {Config} from '../../config/config.ts';
import {followOf, MoneyMissing} from './followed.ts';

/** Practice money or real money; as `WalletMode` of trading. */
type Mode = 'practice' | 'real';

/** One answer for each configuration of a run: a run never changes between practice and real money. */
const decided = new WeakMap<Config, Promise<Mode>>();

/**
 * The kind of money of a configuration: practice with the embedded service, and with a `pulsetop serve` that proves itself
 * (practice-service.ts); real money with any other service. The rule holds for each address of a service that has several.
 * @throws MoneyMissing where chains are followed and no service moves real money; PracticeUnproven when a service of this machine should have proved itself and did not
 */
export function moneyModeOf(config: Config): Promise<Mode> {
	const {service, dataDir} = config;
	const {baseUrl} = service;
	const isFollowing = followOf(config) !== undefined;
	if (baseUrl === undefined) return isFollowing ? Promise.reject(new MoneyMissing()) : Promise.resolve('practice');
	const known = decided.get(config) ?? hostedMode(dataDir, [baseUrl].flat()).then(mode => beside(mode, isFollowing));
	decided.set(config, known);
	return known;
}

/** The mode that a screen shows: an unproven service is shown as real, and opening its money says what is wrong. */
export function shownMode(config: Config): Promise<Mode> {
	return moneyModeOf(config).catch(() => 'real');
}

/** Several addresses are practice if each of them is. @throws PracticeUnproven where only some are: they are not one service */
async function hostedMode(dataDir: string, addresses: readonly string[]): Promise<Mode> {
	const {isPracticeService, PracticeUnproven} = await import('../serve/practice-service.ts');
	const proven = await Promise.all(addresses.map(baseUrl => isPracticeService({dataDir, baseUrl})));
	const at = proven.indexOf(true);
	if (at < 0) return 'real';
	if (proven.includes(false))
		throw new PracticeUnproven(new URL(addresses[at]!).host, 'another configured address is not practice');
	return 'practice';
}

/** Practice money never stands beside a real market: its tokens would look as if it could buy them. */
function beside(mode: Mode, isFollowing: boolean): Mode {
	if (mode === 'practice' && isFollowing)
		throw new MoneyMissing('chains are followed, so the market is real, and the configured service has practice money');
	return mode;
}
