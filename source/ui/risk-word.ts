import type {WorstRisk} from '../monitor/tokens/risk.ts';

const WORDS = {dev: 'dev', top10: 'top', snipers: 'sni', insiders: 'ins', bundlers: 'bun', tax: 'tax'} as const;
const FLAG_WORDS = {honeypot: 'honey!', mint: 'mint!', freeze: 'frz!', spam: 'spam!'} as const;
/** Cells of the longest: `top 100!`. */
const MAX_WIDTH = 8;

/**
 * The worst risk with its figure: `bun 27!`, `top 31+`, `tax 12+`, `mint!`, `honey!`; a dot where all is well, `?` where something is
 * not reported.
 * @param width cells; a narrow column has no blank, and of a word only what its figure leaves
 */
export function riskWord(worst: WorstRisk, dot: string, width = MAX_WIDTH): string {
	if (!('what' in worst)) return worst.level === 'ok' ? dot : '?';
	if (!('percent' in worst)) return FLAG_WORDS[worst.what];
	const word = WORDS[worst.what];
	const figure = `${Math.min(Math.round(worst.percent), 100)}${worst.level === 'bad' ? '!' : '+'}`;
	const gap = word.length + 1 + figure.length <= width ? ' ' : '';
	return `${word.slice(0, width - figure.length)}${gap}${figure}`;
}
