import type {Entry, SecurityFlags} from '../../contract/entry.ts';
import type {FieldName} from '../../contract/fields.ts';
import {RISK_FIELDS, RISKS, type Risk, type RiskLevel, riskLevel} from '../../monitor/tokens/risk.ts';
import type {Row, Span} from '../../terminal/style.ts';
import {padEnd, padStart} from '../../text.ts';
import {compact, share} from '../format.ts';
import type {Tone} from '../theme.ts';
import {cutSpans, toned, type ViewModel} from '../view-model.ts';
import {heading, inColumns} from './blocks.ts';

const RISK_NAMES: Readonly<Record<Risk, string>> = {
	dev: 'developer',
	top10: 'top 10',
	snipers: 'snipers',
	insiders: 'insiders',
	bundlers: 'bundlers',
};
const RISK_COUNTS: Readonly<Partial<Record<Risk, FieldName>>> = {
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
 * What may take a buyer's money: shares of the supply against their thresholds, then the flags of the contract. Its height
 * depends on the size of the pane alone.
 */
export function risk(model: ViewModel, entry: Entry, width: number): Row[] {
	const hasBars = model.layout.bodyHeight >= BARS_FROM_ROWS;
	const lines = hasBars
		? RISKS.map(name => barLine(model, entry, name, width))
		: inColumns(
				RISKS.map(name => figure(model, entry, name)),
				width,
				Math.max(Math.floor(width / 2), 30),
			);
	return [
		heading(model, 'RISK', width, 'share of supply  + warning  ! bad'),
		...lines,
		contractLine(model, entry.security, width),
	];
}

/** How many wallets: ` 4 wallets`, nothing where it is not reported. */
export function walletCount(count: number | undefined): string {
	return count === undefined ? '' : ` ${compact(count)} ${count === 1 ? 'wallet' : 'wallets'}`;
}

function figure(model: ViewModel, entry: Entry, name: Risk): Span[] {
	const percent = entry[RISK_FIELDS[name]];
	const {warn, bad} = model.thresholds[name];
	const level = riskLevel(percent, model.thresholds[name]);
	return [
		toned(model, 'dim', padEnd(RISK_NAMES[name], LABEL_WIDTH)),
		toned(model, LEVEL_TONES[level], `${padStart(share(percent, model.glyphs.unknown), 5)} ${LEVEL_MARKS[level]} `),
		toned(model, 'faint', `+ ${warn} ! ${bad}`),
	];
}

/** Figure, bar with both thresholds marked in it, the thresholds in figures, and how many wallets. */
function barLine(model: ViewModel, entry: Entry, name: Risk, width: number): Span[] {
	const [label, value, limits] = figure(model, entry, name) as [Span, Span, Span];
	const counted = RISK_COUNTS[name];
	const wallets = counted === undefined ? '' : walletCount(entry[counted] as number | undefined);
	const room = Math.min(width - 46, 24);
	const bar = room < 8 ? [] : [...thresholdBar(model, entry[RISK_FIELDS[name]], name, room), {text: '  '}];
	const padded = {...limits, text: padEnd(limits.text, 11)};
	return cutSpans([label, value, ...bar, padded, toned(model, 'dim', wallets)], width);
}

/** A bar up to twice the bad threshold, which therefore stands in its middle. */
function thresholdBar(model: ViewModel, percent: number | undefined, name: Risk, cells: number): Span[] {
	const {theme, glyphs, thresholds} = model;
	const {warn, bad} = thresholds[name];
	const place = (share: number): number => Math.min(Math.floor((share / (2 * bad)) * cells), cells - 1);
	const filled = percent === undefined || percent <= 0 ? 0 : place(percent) + 1;
	const tone = LEVEL_TONES[riskLevel(percent, thresholds[name])];
	return Array.from({length: cells}, (_, at): Span => {
		const mark = at === place(bad) ? 'bad' : at === place(warn) ? 'warn' : undefined;
		if (at < filled) return {text: glyphs.barFull, style: theme.tones[tone === 'text' ? 'accent' : tone]};
		return mark === undefined
			? {text: glyphs.barEmpty, style: theme.tones.rule}
			: {text: glyphs.rule, style: theme.tones[mark]};
	});
}

/** What each flag says when it is set and when it is not, and which of the two is good for a buyer. */
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

/** What the service reports against the contract, in one line. */
function contractLine(model: ViewModel, security: SecurityFlags | undefined, width: number): Row {
	const label = toned(model, 'dim', padEnd('contract', LABEL_WIDTH));
	const known = FLAGS.filter(([flag]) => security?.[flag] !== undefined);
	if (security === undefined || known.length === 0)
		return cutSpans([label, toned(model, 'faint', '  ? not reported: unknown is not safe')], width);
	const against = known
		.filter(([flag, , , goodWhen]) => security[flag] !== goodWhen)
		.map(([flag, set, unset]) => `${model.glyphs.cross} ${security[flag] === true ? set : unset}`);
	const missing = FLAGS.length - known.length;
	const rest = missing === 0 ? '' : `  ${missing} not reported`;
	return cutSpans(
		against.length > 0
			? [label, {text: '  '}, toned(model, 'bad', against.join('  ')), toned(model, 'faint', rest)]
			: [
					label,
					{text: '  '},
					toned(model, missing === 0 ? 'good' : 'text', `${model.glyphs.check} ${known.length} flags fine`),
					toned(model, 'faint', rest),
				],
		width,
	);
}
