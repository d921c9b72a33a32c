import type {ReactNode} from 'react';
import type {Entry, SecurityFlags} from '../../contract/entry.ts';
import type {FieldName} from '../../contract/fields.ts';
import {type RiskFigure, type RiskLevel, riskFigures, riskLevel} from '../../monitor/tokens/risk.ts';
import {padEnd, padStart} from '../../text.ts';
import {compact, share} from '../format.ts';
import {Text, useDisplay, useWidth} from '../live/lines.tsx';
import {CutLine, Heading, InColumns} from '../live/section.tsx';
import type {Tone} from '../theme.ts';
import type {SectionProps} from './section-props.ts';

const RISK_NAMES: Readonly<Record<RiskFigure['what'], string>> = {
	dev: 'developer',
	top10: 'top 10',
	snipers: 'snipers',
	insiders: 'insiders',
	bundlers: 'bundlers',
	tax: 'trade tax',
};
const RISK_COUNTS: Readonly<Partial<Record<RiskFigure['what'], FieldName>>> = {
	snipers: 'snipers_count',
	insiders: 'insiders_count',
	bundlers: 'bundlers_count',
};
const LEVEL_MARKS: Readonly<Record<RiskLevel, string>> = {unknown: '? ', ok: '  ', warn: '+ ', bad: '! '};
const LEVEL_TONES: Readonly<Record<RiskLevel, Tone>> = {unknown: 'faint', ok: 'text', warn: 'warn', bad: 'bad'};

/** From this height of the pane on each risk has a line of its own, with a bar. */
const BARS_FROM_ROWS = 30;
const LABEL_WIDTH = 10;

/**
 * Risks to a buyer's money: shares of the supply and the tax against their thresholds, then the flags of the contract. Its height
 * depends on the size of the pane alone.
 */
export function RiskBars({model, detail: {entry}}: SectionProps): ReactNode {
	const width = useWidth();
	const {thresholds} = useDisplay();
	const hasBars = model.layout.bodyHeight >= BARS_FROM_ROWS;
	const figures = riskFigures(entry, thresholds);
	return (
		<>
			<Heading title="RISK" note="share of supply  + warning  ! bad" />
			{hasBars ? (
				figures.map(figure => <RiskBar key={figure.what} entry={entry} figure={figure} />)
			) : (
				<InColumns
					parts={figures.map(figure => <Figure key={figure.what} {...figure} limitsWidth={0} />)}
					columnWidth={Math.max(Math.floor(width / 2), 30)}
				/>
			)}
			<ContractFlags security={entry.security} />
		</>
	);
}

/** How many wallets: ` 4 wallets`, nothing where it is not reported. */
export function walletCount(count: number | undefined): string {
	return count === undefined ? '' : ` ${compact(count)} ${count === 1 ? 'wallet' : 'wallets'}`;
}

/** Name, figure and thresholds. */
function Figure({what, percent, limits, bar, limitsWidth}: FigureProps): ReactNode {
	const {glyphs} = useDisplay();
	const level = riskLevel(percent, limits);
	return (
		<>
			<Text tone="dim">{padEnd(RISK_NAMES[what], LABEL_WIDTH)}</Text>
			<Text tone={LEVEL_TONES[level]}>{`${padStart(share(percent, glyphs.unknown), 5)} ${LEVEL_MARKS[level]} `}</Text>
			{bar}
			<Text tone="faint">{padEnd(`+ ${limits.warn} ! ${limits.bad}`, limitsWidth)}</Text>
		</>
	);
}

interface FigureProps extends RiskFigure {
	readonly bar?: ReactNode;
	readonly limitsWidth: number;
}

/** Figure, bar with both thresholds marked in it, the thresholds in figures, and how many wallets. */
function RiskBar({entry, figure}: {readonly entry: Entry; readonly figure: RiskFigure}): ReactNode {
	const width = useWidth();
	const counted = RISK_COUNTS[figure.what];
	const wallets = counted === undefined ? '' : walletCount(entry[counted] as number | undefined);
	const room = Math.min(width - 46, 24);
	const bar = room >= 8 && (
		<>
			<ThresholdBar figure={figure} cells={room} />
			{'  '}
		</>
	);
	return (
		<CutLine>
			<Figure {...figure} bar={bar} limitsWidth={11} />
			<Text tone="dim">{wallets}</Text>
		</CutLine>
	);
}

/** A bar up to twice the bad threshold, which therefore stands in its middle. */
function ThresholdBar({figure, cells}: {readonly figure: RiskFigure; readonly cells: number}): ReactNode {
	const {glyphs} = useDisplay();
	const {percent, limits} = figure;
	const {warn, bad} = limits;
	const place = (share: number): number => Math.min(Math.floor((share / (2 * bad)) * cells), cells - 1);
	const filled = percent === undefined || percent <= 0 ? 0 : place(percent) + 1;
	const tone = LEVEL_TONES[riskLevel(percent, limits)];
	return Array.from({length: cells}, (_, at) => {
		const mark = at === place(bad) ? 'bad' : at === place(warn) ? 'warn' : undefined;
		const [glyph, shown]: readonly [string, Tone] =
			at < filled
				? [glyphs.barFull, tone === 'text' ? 'accent' : tone]
				: [mark === undefined ? glyphs.barEmpty : glyphs.rule, mark ?? 'rule'];
		return (
			// biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
			<Text key={at} tone={shown}>
				{glyph}
			</Text>
		);
	});
}

/** The words of each flag, set and unset, and which of the two is good for a buyer. */
export const FLAGS: readonly (readonly [flag: keyof SecurityFlags, set: string, unset: string, goodWhen: boolean])[] = [
	['isHoneypot', 'honeypot', 'no honeypot', false],
	['isMintable', 'mintable', 'not mintable', false],
	['noMintAuthority', 'no mint authority', 'mint authority kept', true],
	['renounced', 'ownership renounced', 'ownership kept', true],
	['isBlacklisted', 'blacklist', 'no blacklist', false],
	['isWhitelisted', 'whitelist', 'no whitelist', false],
	['transferPausable', 'transfers pausable', 'transfers not pausable', false],
	['balanceMutable', 'balances mutable', 'balances fixed', false],
	['modifyableTax', 'tax can change', 'tax is fixed', false],
	['selfDestruct', 'can self-destruct', 'no self-destruct', false],
	['isNotOpenSource', 'closed source', 'open source', false],
];

/** Flags that the service reports against the contract, in one line. */
function ContractFlags({security}: {readonly security: SecurityFlags | undefined}): ReactNode {
	const {glyphs} = useDisplay();
	const label = <Text tone="dim">{padEnd('contract', LABEL_WIDTH)}</Text>;
	const known = FLAGS.filter(([flag]) => security?.[flag] !== undefined);
	if (security === undefined || known.length === 0) {
		return (
			<CutLine>
				{label}
				<Text tone="faint">{'  ? not reported: unknown is not safe'}</Text>
			</CutLine>
		);
	}
	const against = known
		.filter(([flag, , , goodWhen]) => security[flag] !== goodWhen)
		.map(([flag, set, unset]) => `${glyphs.cross} ${security[flag] === true ? set : unset}`);
	const missing = FLAGS.length - known.length;
	return (
		<CutLine>
			{label}
			{'  '}
			{against.length > 0 ? (
				<Text tone="bad">{against.join('  ')}</Text>
			) : (
				<Text tone={missing === 0 ? 'good' : 'text'}>{`${glyphs.check} ${known.length} flags fine`}</Text>
			)}
			<Text tone="faint">{missing > 0 && `  ${missing} not reported`}</Text>
		</CutLine>
	);
}
