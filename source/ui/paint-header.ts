import {scopeLabel} from '../monitor/columns/scope.ts';
import {summaryOf} from '../monitor/following.ts';
import {MARKET_LABELS} from '../monitor/market-kind.ts';
import {activeSlot} from '../monitor/saved-views/saved-view-transitions.ts';
import {freshness, newestDataMs, shownMs} from '../monitor/select.ts';
import {type Following, type Link, type Recording, topMode} from '../monitor/state.ts';
import type {Row, Span} from '../terminal/style.ts';
import {clock, dateTime} from './format.ts';
import {spansWidth, spread, toned, type ViewModel} from './view-model.ts';

/** The first line of the screen: badges, connection, source of the data, saved view, and what is wrong with the connection. */
export function paintHeader(model: ViewModel, width: number): Row {
	const {state} = model;
	const {follow, recording} = state.service;
	// Of several addresses the one that serves now.
	const label = state.link?.address ?? state.service.label;
	const rest = [
		...scopeSpans(model),
		...(label === '' ? [] : [toned(model, 'dim', ` ${label}`)]),
		...savedViewSpans(model),
	];
	const start = [toned(model, 'brand', ' pulsetop '), ...badges(model)];
	const room = width - spansWidth(start) - spansWidth(rest) - spansWidth(time(model));
	const source = recording
		? playbackSpans(model, recording)
		: follow
			? followSpans(model, follow, room)
			: linkSpans(model, state.link);
	const left = [...start, ...source, ...rest];
	const right = width >= 60 ? figures(model, width) : [];
	// The source of the data is shown in full before the figures of the connection.
	const fits = spansWidth(left) + spansWidth(right) < width;
	return spread(left, fits || width < 60 ? right : time(model), width);
}

/** What all columns are narrowed to. */
function scopeSpans(model: ViewModel): Span[] {
	const label = scopeLabel(model.state.scope);
	return label === '' ? [] : [toned(model, 'accent', ` only ${label}`)];
}

/** The saved view that the columns show. */
function savedViewSpans(model: ViewModel): Span[] {
	const slot = activeSlot(model.state);
	if (slot === undefined) return [];
	return [toned(model, 'key', `  ${slot} `), toned(model, 'text', model.state.savedViews.get(slot)!.name)];
}

/** Marks that must never be missed: they stand in every mode, at every size. */
function badges(model: ViewModel): Span[] {
	const {state} = model;
	const spans: Span[] = [];
	if (state.service.recording) spans.push(toned(model, 'badgeBad', ' RECORDING '), {text: ' '});
	if (state.service.embedded || state.service.isPractice) spans.push(toned(model, 'badge', ' PRACTICE '), {text: ' '});
	if (state.service.market !== undefined)
		spans.push(toned(model, 'badge', ` ${MARKET_LABELS[state.service.market].badge} `), {text: ' '});
	if (topMode(state).kind === 'rewind')
		spans.push(toned(model, 'badgeBad', ` REWIND ${clock(shownMs(state, state.nowMs))} `), {text: ' '});
	if (state.paused) spans.push(toned(model, 'badgeBad', ` ${model.glyphs.paused} PAUSED `), {text: ' '});
	if (state.transfer)
		spans.push(
			toned(
				model,
				({info: 'accent', good: 'good', warn: 'warn', bad: 'bad'} as const)[state.transfer.tone],
				`${model.glyphs.live} ${state.transfer.text} `,
			),
		);
	if (state.alerts.unseen > 0)
		spans.push(toned(model, 'warn', `${state.alerts.unseen} alert${state.alerts.unseen === 1 ? '' : 's'} `));
	if (state.readOnly && !state.service.recording) spans.push(toned(model, 'dim', 'read-only '));
	return spans;
}

/**
 * The chains of a real market, and the worst that is to be said of them: `LIVE base, bnb · 1.2 s behind`. Where room is short
 * chains are counted, since the reason of a stall is worth more than their names.
 */
function followSpans(model: ViewModel, follow: Following, room: number): Span[] {
	const {tone, text, isLive} = summaryOf(follow, model.liveMs);
	const badge = ({good: 'badgeGood', warn: 'badge', bad: 'badgeBad'} as const)[tone];
	const {link} = model.state;
	const [first = '', ...others] = follow.names;
	const written = [follow.names.join(', '), others.length === 0 ? first : `${first} +${others.length}`];
	const spans = written.map(names => [
		toned(model, badge, isLive ? ' LIVE ' : ' NOT LIVE '),
		toned(model, 'text', ` ${names} `),
		toned(model, tone, `${model.glyphs.dot} ${text}`),
		// The connection to the own service goes without saying while it is there.
		...(link === undefined || link.phase === 'live' ? [] : [{text: ' '}, ...linkSpans(model, link)]),
	]);
	return spans.find(line => spansWidth(line) < room) ?? spans.at(-1)!;
}

/** The state of the playback. A recording has no connection to report. */
function playbackSpans(model: ViewModel, {phase, speed}: Recording): Span[] {
	if (phase === 'playing') return [toned(model, 'good', `${model.glyphs.live} playing ${speed}x`)];
	const text = {ended: 'at its end', cut: 'cut off here', broken: 'damaged here'}[phase];
	return [toned(model, phase === 'ended' ? 'warn' : 'bad', `${model.glyphs.paused} ${text}`)];
}

/** The connection in one word with a glyph; each column shows the age of its data. */
function linkSpans(model: ViewModel, link: Link | undefined): Span[] {
	const {glyphs, state} = model;
	const inSeconds = (ms: number | undefined): string =>
		ms === undefined ? '' : ` in ${Math.max(Math.ceil((ms - state.nowMs) / 1000), 0)}s`;
	switch (link?.phase) {
		case 'live':
			// The columns say since when.
			return ['stale', 'unusable'].includes(freshness(newestDataMs(state), state.nowMs))
				? [toned(model, 'warn', `${glyphs.waiting} connected, no new data`)]
				: [toned(model, 'good', `${glyphs.live} live`)];
		case 'polling':
			// The service answers, and refuses all that is asked: a wrong address, credits that are used up.
			if (state.shownViews.every(view => state.columns[view].status.kind === 'failed'))
				return [toned(model, 'bad', `${glyphs.broken} no data`)];
			return [toned(model, 'warn', `${glyphs.live} polling`)];
		case 'reconnecting':
			return [toned(model, 'warn', `${glyphs.waiting} reconnecting${inSeconds(link.nextTryAtMs)} (${link.attempt})`)];
		case 'refused':
			return [toned(model, 'bad', `${glyphs.broken} key refused`)];
		case 'offline': {
			const {nextTryAtMs = Number.POSITIVE_INFINITY, nextPollAtMs} = link;
			// A REST request runs: there is no next attempt to count down to.
			const again = nextPollAtMs === undefined ? '' : `, again${inSeconds(Math.min(nextTryAtMs, nextPollAtMs))}`;
			return [toned(model, 'bad', `${glyphs.broken} offline${again}`)];
		}
		case 'closed':
			return [toned(model, 'dim', `${glyphs.waiting} closed`)];
		default:
			return [toned(model, 'dim', `${glyphs.waiting} connecting`)];
	}
}

/** The clock; in a recording the recorded time. */
function time({state, ...model}: ViewModel): Span[] {
	const text = (state.service.recording ? dateTime : clock)(shownMs(state, state.nowMs));
	return [toned(model, 'dim', `${text} `)];
}

/** A connection is said to be slow from this delay on. */
const SLOW_MS = 1000;
/** Below this part of the request budget, what is left of it is shown on every screen. */
const SHORT_BUDGET = 0.2;

function figures(model: ViewModel, width: number): Span[] {
	const {link} = model.state;
	const texts: string[] = [];
	const warnings: string[] = [];
	if (link && link.phase !== 'connecting') {
		if (link.latencyMs !== undefined && link.latencyMs >= SLOW_MS)
			warnings.push(`slow: ${(link.latencyMs / 1000).toFixed(1)} s`);
		if (link.phase === 'polling' && link.pollEveryMs !== undefined && width >= 100)
			texts.push(`every ${Math.round(link.pollEveryMs / 1000)} s`);
		const {rateLimit} = link;
		const isShort = rateLimit !== undefined && rateLimit.remaining < rateLimit.limit * SHORT_BUDGET;
		if (rateLimit && (isShort || (link.phase === 'polling' && width >= 120)))
			(isShort ? warnings : texts).push(`${rateLimit.remaining}/${rateLimit.limit} requests left`);
		// What came and could not be used: frames that can't be read, entries without an address.
		const dropped = link.badFrames + link.droppedEntries;
		if (dropped > 0) warnings.push(`${dropped} dropped`);
	}
	return [
		...texts.map(text => toned(model, 'dim', `${text}  `)),
		...warnings.map(text => toned(model, 'warn', `${text}  `)),
		...time(model),
	];
}
