import type {ReactNode} from 'react';
import {authoritiesOf, RISK_FIELDS, RISKS, riskOf} from '../../monitor/tokens/risk.ts';
import {fitTo, padStart} from '../../text.ts';
import {Text, useDisplay} from '../live/lines.tsx';
import {RISK_TONES, riskText} from '../risk-word.ts';
import type {CellProps} from './shown-token.ts';

/** The worst risk with its figure. */
export function WorstRisk({token, width}: CellProps): ReactNode {
	const {text, tone} = riskText(token.entry, useDisplay(), width);
	return <Text tone={tone}>{fitTo(text, width)}</Text>;
}

/** ` 3   31+  0   0  27!`: rounded percentages of the supply, `+` behind a warning, `!` behind what is bad. */
export function RiskFigures({token}: CellProps): ReactNode {
	const {thresholds} = useDisplay();
	const {entry} = token;
	return RISKS.map(risk => {
		const level = riskOf(entry, risk, thresholds);
		const percent = entry[RISK_FIELDS[risk]];
		const figure = percent === undefined || percent < 0 ? '?' : String(Math.min(Math.round(percent), 100));
		const mark = level === 'bad' ? '!' : level === 'warn' ? '+' : ' ';
		return (
			<Text key={risk} tone={RISK_TONES[level]}>
				{padStart(figure, 3) + mark}
			</Text>
		);
	});
}

/** `MF`: more can be minted, transfers can be frozen; a dot where not, `?` where it is not reported. */
export function AuthorityLetters({token}: CellProps): ReactNode {
	const {glyphs} = useDisplay();
	const {mint, freeze} = authoritiesOf(token.entry);
	const letter = (has: boolean | undefined, glyph: string): ReactNode => (
		<Text tone={has ? 'bad' : 'faint'}>{has === undefined ? '?' : has ? glyph : glyphs.dot}</Text>
	);
	return (
		<>
			{letter(mint, 'M')}
			{letter(freeze, 'F')}
		</>
	);
}
