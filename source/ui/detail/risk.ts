import type {Entry, SecurityFlags} from '../../contract/entry.ts';
import type {FieldName} from '../../contract/fields.ts';
import {RISK_FIELDS, RISKS, type Risk, type RiskLevel, riskLevel} from '../../monitor/tokens/risk.ts';
import type {Row, Span} from '../../terminal/style.ts';
import {padEnd, padStart} from '../../text.ts';
import {compact, share} from '../format.ts';
import {cutSpans, type Scene, toned} from '../scene.ts';
import type {Tone} from '../theme.ts';
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
const LEVEL_MARKS: Readonly<Record<RiskLevel, string>> = {unknown: '? ', ok: '  ', warn: '! ', bad: '!!'};
const LEVEL_TONES: Readonly<Record<RiskLevel, Tone>> = {unknown: 'faint', ok: 'text', warn: 'warn', bad: 'bad'};

/** From this height of the pane on each risk has a line of its own, with a bar. */
const BARS_FROM_ROWS = 30;
const LABEL_WIDTH = 10;

/**
 * What may take a buyer's money: shares of the supply against their thresholds, then the flags of the contract. Its height
 * depends on the size of the pane alone.
 */
export function risk(scene: Scene, entry: Entry, width: number): Row[] {
	const hasBars = scene.layout.bodyHeight >= BARS_FROM_ROWS;
	const lines = hasBars
		? RISKS.map(name => barLine(scene, entry, name, width))
		: inColumns(
				RISKS.map(name => figure(scene, entry, name)),
				width,
				Math.max(Math.floor(width / 2), 30),
			);
	return [
		heading(scene, 'RISK', width, 'share of supply  ! warning  !! bad'),
		...lines,
		contractLine(scene, entry.security, width),
	];
}

/** How many wallets: ` 4 wallets`, nothing where it is not reported. */
export function walletCount(count: number | undefined): string {
	return count === undefined ? '' : ` ${compact(count)} ${count === 1 ? 'wallet' : 'wallets'}`;
}

function figure(scene: Scene, entry: Entry, name: Risk): Span[] {
	const percent = entry[RISK_FIELDS[name]];
	const {warn, bad} = scene.thresholds[name];
	const level = riskLevel(percent, scene.thresholds[name]);
	return [
		toned(scene, 'dim', padEnd(RISK_NAMES[name], LABEL_WIDTH)),
		toned(scene, LEVEL_TONES[level], `${padStart(share(percent, scene.signs.unknown), 5)} ${LEVEL_MARKS[level]} `),
		toned(scene, 'faint', `! ${warn} !! ${bad}`),
	];
}

/** Figure, bar with both thresholds marked in it, the thresholds in figures, and how many wallets. */
function barLine(scene: Scene, entry: Entry, name: Risk, width: number): Span[] {
	const [label, value, limits] = figure(scene, entry, name) as [Span, Span, Span];
	const counted = RISK_COUNTS[name];
	const wallets = counted === undefined ? '' : walletCount(entry[counted] as number | undefined);
	const room = Math.min(width - 46, 24);
	const bar = room < 8 ? [] : [...thresholdBar(scene, entry[RISK_FIELDS[name]], name, room), {text: '  '}];
	const padded = {...limits, text: padEnd(limits.text, 11)};
	return cutSpans([label, value, ...bar, padded, toned(scene, 'dim', wallets)], width);
}

/** A bar up to twice the bad threshold, which therefore stands in its middle. */
function thresholdBar(scene: Scene, percent: number | undefined, name: Risk, cells: number): Span[] {
	const {theme, signs, thresholds} = scene;
	const {warn, bad} = thresholds[name];
	const place = (share: number): number => Math.min(Math.floor((share / (2 * bad)) * cells), cells - 1);
	const filled = percent === undefined || percent <= 0 ? 0 : place(percent) + 1;
	const tone = LEVEL_TONES[riskLevel(percent, thresholds[name])];
	return Array.from({length: cells}, (_, at): Span => {
		const mark = at === place(bad) ? 'bad' : at === place(warn) ? 'warn' : undefined;
		if (at < filled) return {text: signs.barFull, style: theme.tones[tone === 'text' ? 'accent' : tone]};
		return mark === undefined
			? {text: signs.barEmpty, style: theme.tones.rule}
			: {text: signs.rule, style: theme.tones[mark]};
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
function contractLine(scene: Scene, security: SecurityFlags | undefined, width: number): Row {
	const label = toned(scene, 'dim', padEnd('contract', LABEL_WIDTH));
	const known = FLAGS.filter(([flag]) => security?.[flag] !== undefined);
	if (security === undefined || known.length === 0)
		return cutSpans([label, toned(scene, 'faint', '  ? not reported: unknown is not safe')], width);
	const against = known
		.filter(([flag, , , goodWhen]) => security[flag] !== goodWhen)
		.map(([flag, set, unset]) => `${scene.signs.cross} ${security[flag] === true ? set : unset}`);
	const missing = FLAGS.length - known.length;
	const rest = missing === 0 ? '' : `  ${missing} not reported`;
	return cutSpans(
		against.length > 0
			? [label, {text: '  '}, toned(scene, 'bad', against.join('  ')), toned(scene, 'faint', rest)]
			: [
					label,
					{text: '  '},
					toned(scene, missing === 0 ? 'good' : 'text', `${scene.signs.check} ${known.length} flags fine`),
					toned(scene, 'faint', rest),
				],
		width,
	);
}
