import type {Tone} from '../theme.ts';

/** The tones of label kinds; any other kind has the tone `accent`. */
export const LABEL_TONES: Readonly<Record<string, Tone>> = {
	dev: 'warn',
	sniper: 'bad',
	insider: 'bad',
	bundler: 'bad',
	proTrader: 'good',
	smartTrader: 'good',
	freshTrader: 'warn',
	freshTrader30d: 'dim',
	liquidityPool: 'dim',
	locker: 'good',
};
