import type {Entry, Holder} from '../../contract/entry.ts';
import type {FieldName} from '../../contract/fields.ts';
import {whyNoLabels} from '../../monitor/market-kind.ts';
import type {Detail, Labels} from '../../monitor/state.ts';
import type {Row, Span} from '../../terminal/style.ts';
import {fitTo, middleEllipsis, padEnd, padStart, truncate} from '../../text.ts';
import {age, compact, grouped, share, usd} from '../format.ts';
import type {Tone} from '../theme.ts';
import {cutSpans, toned, type ViewModel} from '../view-model.ts';
import {heading, inColumns} from './blocks.ts';
import {walletCount} from './risk.ts';

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

/** A wallet's label kinds and who it is. */
function labelSpans(model: ViewModel, labels: Labels | undefined): Span[] {
	if (labels === undefined) return [];
	const spans = labels.labels.map(kind => toned(model, LABEL_TONES[kind] ?? 'accent', kind));
	const all = labels.entity?.name === undefined ? spans : [...spans, toned(model, 'brand', labels.entity.name)];
	return all.flatMap(span => [{text: ' '}, span]);
}

function labelsOf(detail: Detail, address: string): Labels | undefined {
	const {labels} = detail;
	const known = labels.kind === 'ready' ? labels.value : labels.kind === 'idle' ? undefined : labels.last;
	return known?.get(address);
}

/** The deployer with wallet labels, launches and funding: four lines, known or not. */
export function developer(model: ViewModel, detail: Detail, width: number): Row[] {
	const {entry, labels} = detail;
	if (entry.deployer === undefined) return [heading(model, 'DEVELOPER', width), [toned(model, 'dim', 'not reported')]];
	const own = labelsOf(detail, entry.deployer);
	const none = whyNoLabels(model.state.service);
	const address = middleEllipsis(entry.deployer, width >= 76 ? 44 : 21);
	const state =
		own !== undefined
			? own.labels.length === 0 && own.entity === undefined
				? [toned(model, 'dim', ' no labels')]
				: labelSpans(model, own)
			: none !== undefined
				? [toned(model, 'dim', ` ${none}`)]
				: labels.kind === 'failed'
					? [toned(model, 'bad', ` labels: ${labels.problem.what}. ${labels.problem.why}`)]
					: [toned(model, 'faint', ` labels ${model.glyphs.ellipsis}`)];
	return [
		heading(model, 'DEVELOPER', width),
		cutSpans([toned(model, 'text', address), ...state], width),
		[toned(model, 'dim', truncate(recordText(entry), width))],
		[toned(model, 'dim', truncate(fundingText(model, detail, own), width))],
	];
}

/** `launched 4 tokens, 0 bonded` */
function recordText({deployer_tokens_count: launched, deployer_migrations_count: bonded}: Entry): string {
	if (launched === undefined && bonded === undefined) return 'launches not reported';
	return `launched ${grouped(launched)} ${launched === 1 ? 'token' : 'tokens'}, ${grouped(bonded)} bonded`;
}

function fundingText(model: ViewModel, detail: Detail, labels: Labels | undefined): string {
	if (labels === undefined)
		return detail.labels.kind === 'failed' || whyNoLabels(model.state.service)
			? 'funding not known'
			: `funding ${model.glyphs.ellipsis}`;
	if (labels.funding === undefined) return 'funding not reported';
	const {funding} = labels;
	const amount = funding.amount === undefined ? '' : `${compact(funding.amount)} ${funding.currency?.symbol ?? ''} `;
	const from =
		funding.fromTag ??
		funding.fromEntity?.name ??
		(funding.from === undefined ? 'an unknown wallet' : middleEllipsis(funding.from, 13));
	const {nowMs, skewMs} = model.state;
	const ago = funding.date === undefined ? '' : `, ${age(Math.max(nowMs + skewMs - funding.date, 0))} ago`;
	return `funded with ${amount}from ${from}${ago}`;
}

/** How many holders are listed; more are a matter of the command line. */
const MOST_HOLDERS = 15;

/**
 * The largest holders with their labels relative to this token. While they are looked up the section takes the room
 * that they will need, so that nothing below moves when they come.
 */
export function topHolders(model: ViewModel, detail: Detail, width: number): Row[] {
	const {entry, lookup} = detail;
	const holders = (entry.holders ?? []).slice(0, MOST_HOLDERS);
	const {holders_count: all} = entry;
	const count = all === undefined || all === 0 ? 'TOP HOLDERS' : `TOP HOLDERS of ${grouped(all)}`;
	if (holders.length > 0) {
		return [
			heading(model, count, width, 'share, value, profit'),
			...holders.map(holder => holderLine(model, detail, holder, width)),
		];
	}
	const title = heading(model, count, width);
	if (lookup.kind === 'ready')
		return [title, [toned(model, 'dim', all === 0 ? 'nobody holds the token' : 'not reported')]];
	if (lookup.kind === 'failed')
		return [title, [toned(model, 'bad', truncate(`${lookup.problem.what}. ${lookup.problem.why}`, width))]];
	const rows = Math.min(Math.max(entry.holders_count ?? MOST_HOLDERS, 1), MOST_HOLDERS);
	return [
		title,
		[toned(model, 'dim', `top holders ${model.glyphs.ellipsis}`)],
		...Array.from({length: rows - 1}, (): Row => []),
	];
}

function holderLine(model: ViewModel, detail: Detail, holder: Holder, width: number): Row {
	const supply = detail.entry.total_supply;
	const percent = supply === undefined || supply === 0 ? undefined : (holder.balance / supply) * 100;
	const {realizedPnlUSD: realized, unrealizedPnlUSD: unrealized} = holder;
	const pnl = realized === undefined || unrealized === undefined ? undefined : realized + unrealized;
	const sign = pnl !== undefined && pnl >= 0 ? '+' : '';
	return cutSpans(
		[
			toned(model, 'text', fitTo(middleEllipsis(holder.address, 13), 14)),
			toned(model, 'text', padStart(share(percent), 6)),
			toned(model, 'dim', padStart(usd(holder.balanceUSD, model.glyphs.unknown), 8)),
			toned(
				model,
				pnl === undefined ? 'dim' : sign ? 'up' : 'down',
				padStart(`${sign}${usd(pnl, model.glyphs.unknown)}`, 9),
			),
			...labelSpans(model, labelsOf(detail, holder.address)),
		],
		width,
	);
}

const GROUPS: readonly (readonly [name: string, share: FieldName, count?: FieldName])[] = [
	['fresh', 'fresh_traders_holdings_percentage', 'fresh_traders_count'],
	['pro', 'pro_traders_holdings_percentage', 'pro_traders_count'],
	['smart', 'smart_traders_holdings_percentage', 'smart_traders_count'],
	['top 50', 'top_50_holdings_percentage'],
	['top 100', 'top_100_holdings_percentage'],
	['top 200', 'top_200_holdings_percentage'],
];

/** Shares of the supply of groups of holders that are no risk by themselves. */
export function holderGroups(model: ViewModel, entry: Entry, width: number): Row[] {
	const cells = GROUPS.map(([name, field, counted]) => [
		toned(model, 'dim', padEnd(name, 10)),
		toned(model, 'text', `${padStart(share(entry[field] as number | undefined, model.glyphs.unknown), 5)} `),
		toned(model, 'faint', walletCount(counted === undefined ? undefined : (entry[counted] as number | undefined))),
	]);
	return [heading(model, 'HOLDER GROUPS', width, 'share of supply'), ...inColumns(cells, width, 31)];
}
