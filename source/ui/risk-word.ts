import type {Entry} from '../contract/entry.ts';
import {type RiskLevel, type WorstRisk, worstRisk} from '../monitor/tokens/risk.ts';
import type {Display} from './display.ts';
import type {Tone} from './theme.ts';

const WORDS = {dev: 'dev', top10: 'top', snipers: 'sni', insiders: 'ins', bundlers: 'bun', tax: 'tax'} as const;
const FLAG_WORDS = {honeypot: 'honey!', mint: 'mint!', freeze: 'frz!', spam: 'spam!'} as const;
export const RISK_TONES: Readonly<Record<RiskLevel, Tone>> = {unknown: 'faint', ok: 'faint', warn: 'warn', bad: 'bad'};
/** Cells of the longest: `top 100!`. */
export const RISK_WIDTH = 8;

/**
 * The worst risk with its figure: `bun 27!`, `top 31+`, `tax 12+`, `mint!`, `honey!`; a dot where all is well, `?` where something is
 * not reported.
 * @param width cells; a narrow column has no blank, and of a word only what its figure leaves
 */
export function riskWord(worst: WorstRisk, dot: string, width = RISK_WIDTH): string {
	if (!('what' in worst)) return worst.level === 'ok' ? dot : '?';
	if (!('percent' in worst)) return FLAG_WORDS[worst.what];
	const word = WORDS[worst.what];
	const figure = `${Math.min(Math.round(worst.percent), 100)}${worst.level === 'bad' ? '!' : '+'}`;
	const gap = word.length + 1 + figure.length <= width ? ' ' : '';
	return `${word.slice(0, width - figure.length)}${gap}${figure}`;
}

/** The worst risk of a token as a cell. */
export function riskText(
	entry: Entry,
	{glyphs, thresholds}: Pick<Display, 'glyphs' | 'thresholds'>,
	width?: number,
): {readonly text: string; readonly tone: Tone} {
	const worst = worstRisk(entry, thresholds);
	return {text: riskWord(worst, glyphs.dot, width), tone: RISK_TONES[worst.level]};
}
