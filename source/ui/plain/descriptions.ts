import {chainWord} from '../../chains/chain-words.ts';
import type {Entry} from '../../contract/entry.ts';
import type {Window8} from '../../contract/windows.ts';
import type {Column} from '../../monitor/columns/column.ts';
import type {WhyColumn} from '../../monitor/columns/why-column.ts';
import {labelOf} from '../../monitor/filter/field-words.ts';
import {summaryOf} from '../../monitor/following.ts';
import type {Following, MonitorState} from '../../monitor/state.ts';
import {lookalikeOf, lookalikesOnScreen} from '../../monitor/tokens/lookalike.ts';
import {RISK_FIELDS, RISKS, type Risk, risksOf, worstRisk} from '../../monitor/tokens/risk.ts';
import {changeWindow, shortWindow} from '../cell-specs.ts';
import {orderLabel} from '../features/sort/sort-choices.ts';
import {change, compact, dateTime, price, progress, share} from '../format.ts';
import {inTimeFollowed} from '../time-followed.ts';

/*
 * The content of the screen, as sentences for a screen reader: no glyphs, no columns, no meaning in place or colour.
 */

const UNKNOWN = 'not known';

/** `5 seconds`, `2 hours`. */
export function durationText(ms: number | undefined): string {
	if (ms === undefined) return UNKNOWN;
	const seconds = Math.max(Math.floor(ms / 1000), 0);
	const [size, unit] = (
		[
			[86_400, 'day'],
			[3600, 'hour'],
			[60, 'minute'],
		] as const
	).find(([length]) => seconds >= length) ?? [1, 'second'];
	const count = Math.floor(seconds / size);
	return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** The chains of a real market, and how they do. @param nowMs local Unix ms */
export function describeFollowing(follow: Following, nowMs: number): string {
	const {text} = summaryOf(follow, nowMs);
	return `Real launches of ${follow.names.join(', ')}${text === '' ? '' : `: ${text}`}.`;
}

/** A token's symbol and name. */
export function tokenLabel({symbol, name, address}: Entry): string {
	if (symbol === undefined) return name ?? address;
	return name === undefined || name === symbol ? symbol : `${symbol}, ${name}`;
}

/** A token in one sentence: what its row shows, warnings at the end. */
export function describeToken(state: MonitorState, entry: Entry, window: Window8): string {
	const ageMs = entry.created_at === undefined ? undefined : state.nowMs + state.skewMs - entry.created_at;
	const moved = entry[`price_change_${changeWindow(window)}`];
	const parts = [
		tokenLabel(entry),
		`on ${chainWord(entry.chain_id)}`,
		`${durationText(ageMs)} old`,
		`market cap ${entry.priceIsAverage ? 'about ' : ''}${compact(entry.market_cap, UNKNOWN)}`,
		`change in ${shortWindow(changeWindow(window))} ${change(moved, UNKNOWN)}`,
		`volume ${compact(entry[`volume_${window}`], UNKNOWN)}`,
		`holders ${compact(entry.holders_count, UNKNOWN)}`,
		...(entry.bonded ? ['bonded'] : [`bonding ${progress(entry.bonding_percentage, UNKNOWN)}`]),
		...warnings(state, entry),
	];
	return `${parts.join(', ')}.`;
}

const RISK_LABELS: Readonly<Record<Risk | 'tax', string>> = {
	dev: 'the developer holds',
	top10: 'the top 10 hold',
	snipers: 'snipers hold',
	insiders: 'insiders hold',
	bundlers: 'bundlers hold',
	tax: 'its tax is',
};

const FLAG_LABELS = {
	honeypot: 'it cannot be sold',
	mint: 'more can be minted',
	freeze: 'transfers can be frozen',
	spam: 'the service takes it for spam',
} as const;

function warnings(state: MonitorState, entry: Entry): string[] {
	const {thresholds} = state.display;
	const found = risksOf(entry, thresholds).map(risk => {
		const words = 'percent' in risk ? `${RISK_LABELS[risk.what]} ${share(risk.percent)}` : FLAG_LABELS[risk.what];
		return `${risk.level === 'bad' ? 'bad' : 'warning'}: ${words}`;
	});
	const risks = worstRisk(entry, thresholds).level === 'unknown' ? [`risk ${UNKNOWN}`] : found;
	const alike = lookalikeOf(entry, lookalikesOnScreen(state));
	if (alike?.level === 'bad') return ['bad: made to look like something else', ...risks];
	return alike?.level === 'warn' ? ['warning: a much larger token has this name', ...risks] : risks;
}

/** The details of a token, one sentence a line. */
export function describeDetails(state: MonitorState, entry: Entry): string[] {
	const known = (name: string, value: string): string => `${name}: ${value}.`;
	const {deployer_tokens_count: launched} = entry;
	const holdings = RISKS.map(risk => `${RISK_LABELS[risk]} ${share(entry[RISK_FIELDS[risk]], UNKNOWN)}`).join(', ');
	return [
		describeToken(state, entry, '1h'),
		known('Address', entry.address),
		known(
			entry.priceIsAverage ? 'Price of the last trade' : 'Price',
			price(entry.latest_price, {unknown: UNKNOWN, subscripts: ''}),
		),
		known('Liquidity', compact(entry.liquidity, UNKNOWN)),
		known(
			'Trades in 1 hour',
			`${compact(entry.buys_1h, UNKNOWN)} buys, ${compact(entry.sells_1h, UNKNOWN)} sells, volume ${compact(entry.volume_1h, UNKNOWN)}`,
		),
		known('Of the supply', holdings),
		known('Created', dateTime(entry.created_at, UNKNOWN)),
		known(
			'Deployer',
			`${entry.deployer ?? UNKNOWN}, launched ${compact(launched, UNKNOWN)}, of them bonded ${compact(entry.deployer_migrations_count, UNKNOWN)}${launched === undefined ? '' : inTimeFollowed(state, entry.chain_id)}`,
		),
		known('Twitter', entry.twitter ?? 'none reported'),
		known('Website', entry.website ?? 'none reported'),
	];
}

/** Why a token is in each column or not, a line for each column and each clause that fails. */
export function describeWhy(columns: readonly WhyColumn[]): string[] {
	return columns.flatMap(({view, verdict, text: verdictText, clauses}) => {
		const failed = clauses.filter(({passed}) => !passed);
		const head =
			verdict === 'shown'
				? `In ${view}: ${verdictText}.`
				: `Not in ${view}: ${failed.length > 0 ? 'kept out' : verdictText}.`;
		return [head, ...failed.map(({text, actual}) => `  ${text} fails: ${actual}.`)];
	});
}

/** A column in one sentence: how many tokens, sorted and filtered how. */
export function describeColumn({view, order, total, sortBy, sortOrder, filter, status}: Column): string {
	if (status.kind === 'failed') return `The column ${view} failed: ${status.problem.what}: ${status.problem.why}`;
	if (status.kind === 'loading' && order.length === 0) return `The column ${view} is loading.`;
	const all = total === undefined ? '' : ` of ${Math.max(total, order.length)}`;
	const filtered = filter.text === '' ? 'no filter' : `filter ${filter.text}`;
	const tokens = all === '' && order.length === 1 ? 'token' : 'tokens';
	return `Column ${view}: ${order.length}${all} ${tokens}, sorted by ${labelOf(sortBy)}, ${orderLabel(sortBy, sortOrder)}, ${filtered}.`;
}

/** The connection in one sentence. */
export function describeLink({link, service}: MonitorState): string {
	const place = link?.address ?? service.label;
	switch (link?.phase) {
		case 'live':
			return `Connected to ${place}.`;
		case 'polling':
			return `Connected to ${place} without a stream: the program polls it.`;
		case 'reconnecting':
			return 'The stream was lost; connecting again.';
		case 'refused':
			return 'The service does not accept the key.';
		case 'offline':
			return 'The service cannot be reached; trying again.';
		case 'closed':
			return 'Disconnected.';
		default:
			return `Connecting to ${place}.`;
	}
}
