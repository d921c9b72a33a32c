import {scopeLabel} from '../monitor/columns/scope.ts';
import {MARKET_LABELS} from '../monitor/market-kind.ts';
import {activeSlot} from '../monitor/saved-views/saved-view-transitions.ts';
import {shownMs} from '../monitor/select.ts';
import {type Link, type Recording, topMode} from '../monitor/state.ts';
import type {Row, Span} from '../terminal/style.ts';
import {clock, dateTime, rate} from './format.ts';
import {type Scene, spansWidth, spread, toned} from './scene.ts';

/** The first line of the screen: what this is, where its data comes from, and how that is going. */
export function paintHeader(scene: Scene, width: number): Row {
	const {state} = scene;
	const left = [
		toned(scene, 'brand', ' pulsetop '),
		...badges(scene),
		...(state.service.recording ? playWords(scene, state.service.recording) : linkWords(scene, state.link)),
		...scopeSpans(scene),
		toned(scene, 'dim', ` ${state.service.label}`),
		...viewWords(scene),
	];
	const right = width >= 60 ? figures(scene, width) : [];
	// Where the data comes from is told in full before how much of it comes.
	const fits = spansWidth(left) + spansWidth(right) < width;
	return spread(left, fits || width < 60 ? right : time(scene), width);
}

/** What all columns are narrowed to. */
function scopeSpans(scene: Scene): Span[] {
	const label = scopeLabel(scene.state.scope);
	return label === '' ? [] : [toned(scene, 'accent', ` only ${label}`)];
}

/** The saved view that the columns show. */
function viewWords(scene: Scene): Span[] {
	const slot = activeSlot(scene.state);
	if (slot === undefined) return [];
	return [toned(scene, 'key', `  ${slot} `), toned(scene, 'text', scene.state.savedViews.get(slot)!.name)];
}

/** Marks that must never be missed: they stand in every mode, at every size. */
function badges(scene: Scene): Span[] {
	const {state} = scene;
	const words: Span[] = [];
	if (state.service.recording) words.push(toned(scene, 'badgeBad', ' RECORDING '), {text: ' '});
	if (state.service.embedded) words.push(toned(scene, 'badge', ' PRACTICE '), {text: ' '});
	if (state.service.market !== undefined)
		words.push(toned(scene, 'badge', ` ${MARKET_LABELS[state.service.market].badge} `), {text: ' '});
	if (topMode(state).kind === 'rewind')
		words.push(toned(scene, 'badgeBad', ` REWIND ${clock(shownMs(state, state.nowMs))} `), {text: ' '});
	if (state.paused) words.push(toned(scene, 'badgeBad', ` ${scene.signs.paused} PAUSED `), {text: ' '});
	if (state.transfer)
		words.push(
			toned(
				scene,
				({info: 'accent', good: 'good', warn: 'warn', bad: 'bad'} as const)[state.transfer.tone],
				`${scene.signs.live} ${state.transfer.text} `,
			),
		);
	if (state.alerts.unseen > 0)
		words.push(toned(scene, 'warn', `${state.alerts.unseen} alert${state.alerts.unseen === 1 ? '' : 's'} `));
	if (state.readOnly && !state.service.recording) words.push(toned(scene, 'dim', 'read-only '));
	return words;
}

/** How the playing of a recording goes. The connection is to ourselves then, and says nothing. */
function playWords(scene: Scene, {phase, speed}: Recording): Span[] {
	if (phase === 'playing') return [toned(scene, 'good', `${scene.signs.live} playing ${speed}x`)];
	const words = {ended: 'at its end', cut: 'cut off here', broken: 'damaged here'}[phase];
	return [toned(scene, phase === 'ended' ? 'warn' : 'bad', `${scene.signs.paused} ${words}`)];
}

/** The connection in one word and its sign; freshness is told by each column. */
function linkWords(scene: Scene, link: Link | undefined): Span[] {
	const {signs, state} = scene;
	const inSeconds = (ms: number | undefined): string =>
		ms === undefined ? '' : ` in ${Math.max(Math.ceil((ms - state.nowMs) / 1000), 0)}s`;
	switch (link?.phase) {
		case 'live':
			return [toned(scene, 'good', `${signs.live} live`)];
		case 'polling':
			return [toned(scene, 'warn', `${signs.live} polling`)];
		case 'reconnecting':
			return [toned(scene, 'warn', `${signs.waiting} reconnecting${inSeconds(link.nextTryAtMs)} (${link.attempt})`)];
		case 'refused':
			return [toned(scene, 'bad', `${signs.broken} key refused`)];
		case 'offline': {
			const {nextTryAtMs = Number.POSITIVE_INFINITY, nextPollAtMs} = link;
			// While REST is being asked there is nothing to wait for.
			const again = nextPollAtMs === undefined ? '' : `, again${inSeconds(Math.min(nextTryAtMs, nextPollAtMs))}`;
			return [toned(scene, 'bad', `${signs.broken} offline${again}`)];
		}
		case 'closed':
			return [toned(scene, 'dim', `${signs.waiting} closed`)];
		default:
			return [toned(scene, 'dim', `${signs.waiting} connecting`)];
	}
}

/** The clock; on a recording the time that it is in it. */
function time({state, ...scene}: Scene): Span[] {
	const text = (state.service.recording ? dateTime : clock)(shownMs(state, state.nowMs));
	return [toned(scene, 'dim', `${text} `)];
}

/** From this part of the request budget on it is worth a word on every screen. */
const SHORT_BUDGET = 0.2;

function figures(scene: Scene, width: number): Span[] {
	const {link} = scene.state;
	const words: string[] = [];
	const warnings: string[] = [];
	if (link && link.phase !== 'connecting') {
		if (width >= 110) words.push(`${Math.round(link.framesPerSecond)} msg/s`);
		if (width >= 80) words.push(rate(link.bytesPerSecond));
		if (link.latencyMs !== undefined && width >= 100) words.push(`${Math.round(link.latencyMs)} ms`);
		if (link.phase === 'polling' && link.pollEveryMs !== undefined && width >= 100)
			words.push(`every ${Math.round(link.pollEveryMs / 1000)} s`);
		const {rateLimit} = link;
		const isShort = rateLimit !== undefined && rateLimit.remaining < rateLimit.limit * SHORT_BUDGET;
		if (rateLimit && (isShort || (link.phase === 'polling' && width >= 120)))
			(isShort ? warnings : words).push(`${rateLimit.remaining}/${rateLimit.limit} requests left`);
		// What came and could not be used: frames that can't be read, entries without an address.
		const dropped = link.badFrames + link.droppedEntries;
		if (dropped > 0) warnings.push(`${dropped} dropped`);
	}
	return [
		...words.map(word => toned(scene, 'dim', `${word}  `)),
		...warnings.map(word => toned(scene, 'warn', `${word}  `)),
		...time(scene),
	];
}
