import type {Labels} from '../../../monitor/state.ts';
import type {Row, Span} from '../../../terminal/style.ts';
import {fitTo, middleEllipsis, truncate} from '../../../text.ts';
import {age, compact, dateTime} from '../../format.ts';
import {fact, heading, sentence} from '../../money/money-rows.ts';
import {cutSpans, toned} from '../../scene.ts';
import {inputLine, listScreen, pageScreen, type ScreenLook, screenTitle} from '../../screens/screen-rows.ts';
import type {Tone} from '../../theme.ts';
import {LABEL_MEANINGS, type LabelsState, type PathStep} from './labels-state.ts';

const TONES: Readonly<Record<string, Tone>> = {
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

/** The lines of the wallets board. */
export function labelsRows(state: LabelsState, look: ScreenLook): Row[] {
	const {open, addresses, found, cursor} = state;
	if (open)
		return pageScreen(look, title(state, look), detail(state, open, {...look, width: look.width - 2}), state.scroll);
	const index = Math.max(addresses.indexOf(cursor ?? ''), 0);
	const widths = columnsOf(look.width);
	return listScreen(look, {
		title: title(state, look),
		header: [
			toned(
				look,
				'faint',
				truncate(
					`   ${fitTo('WALLET', widths.address)}${fitTo('LABELS', widths.kinds)}${widths.funding === 0 ? '' : 'FIRST FUNDED'}`,
					look.width,
				),
			),
		],
		keys: addresses,
		marked: state,
		line: at => line(addresses[at]!, found.get(addresses[at]!), state, widths, look),
		empty: emptyRows(state, {...look, width: look.width - 2}),
		end: endLine(state, addresses[index], look),
	});
}

function title({addresses, waiting, token, found}: LabelsState, look: ScreenLook): Row {
	const words = waiting === undefined ? `${addresses.length}` : `${found.size} of ${addresses.length}, asking`;
	const relative = token === undefined ? [] : [toned(look, 'accent', `relative to ${truncate(token.symbol, 14)}`)];
	return screenTitle(look, [toned(look, 'brand', 'WALLETS'), {text: '  '}, toned(look, 'text', words)], relative);
}

interface Widths {
	readonly address: number;
	readonly kinds: number;
	readonly funding: number;
}

function columnsOf(width: number): Widths {
	const address = width >= 100 ? 46 : width >= 70 ? 20 : 14;
	const funding = width >= 70 ? Math.floor((width - address - 4) / 2) : 0;
	return {address, funding, kinds: Math.max(width - address - funding - 4, 8)};
}

function line(address: string, labels: Labels | undefined, state: LabelsState, w: Widths, look: ScreenLook): Row {
	return [
		{text: '  '},
		toned(look, 'text', fitTo(middleEllipsis(address, w.address - 1), w.address)),
		...padded(kindSpans(labels, state, look), w.kinds),
		...(w.funding === 0 ? [] : [toned(look, 'dim', truncate(fundingWords(labels?.funding, look), w.funding))]),
	];
}

function padded(spans: readonly Span[], width: number): Span[] {
	const cut = cutSpans(spans, width - 1);
	const used = cut.reduce((sum, span) => sum + span.text.length, 0);
	return [...cut, {text: ' '.repeat(Math.max(width - used, 1))}];
}

/** Who it is and its kinds; no labels and not asked yet are not the same. */
function kindSpans(labels: Labels | undefined, {waiting, problem}: LabelsState, look: ScreenLook): Span[] {
	if (labels === undefined) {
		return [
			toned(
				look,
				problem && waiting === undefined ? 'bad' : 'dim',
				problem && waiting === undefined ? 'not reported' : look.signs.ellipsis,
			),
		];
	}
	const who = labels.entity?.name ?? labels.platform?.name;
	const spans = [
		...(who === undefined ? [] : [toned(look, 'brand', `${who} `)]),
		...labels.labels.map(kind => toned(look, TONES[kind] ?? 'accent', `${kind} `)),
	];
	return spans.length === 0 ? [toned(look, 'faint', 'no labels')] : spans;
}

function fundingWords(funding: Labels['funding'], {nowMs, signs}: ScreenLook): string {
	if (funding === undefined) return signs.unknown;
	const amount = funding.amount === undefined ? '' : `${compact(funding.amount)} ${funding.currency?.symbol ?? ''} `;
	const from =
		funding.fromTag ??
		funding.fromEntity?.name ??
		(funding.from === undefined ? 'not reported' : middleEllipsis(funding.from, 13));
	const when = funding.date === undefined ? '' : `, ${age(nowMs - funding.date)} ago`;
	return `${amount}from ${from}${when}`;
}

function emptyRows({rejected}: LabelsState, look: ScreenLook): Row[] {
	return [
		...sentence(
			look,
			'text',
			look.named(
				'Paste any number of addresses, in any form: one a line, a list, a table. {labels.type} lets you type them.',
			),
		),
		[],
		...(rejected.length > 0 ? sentence(look, 'warn', `No address: ${rejected.slice(0, 5).join(', ')}`) : []),
		...Object.entries(LABEL_MEANINGS).map(
			([kind, meaning]): Row => [
				toned(look, TONES[kind] ?? 'accent', fitTo(kind, 16)),
				toned(look, 'dim', truncate(meaning, look.width - 16)),
			],
		),
	];
}

/** What is typed; else what went wrong; else what the labels of the marked wallet mean. */
function endLine(state: LabelsState, address: string | undefined, look: ScreenLook): Row {
	if (look.input) return inputLine(look, 'wallets', look.input.edit);
	const {problem, found, rejected} = state;
	const words = (tone: Tone, text: string): Row => cutSpans([toned(look, tone, ` ${text}`)], look.width);
	if (problem)
		return words(
			'bad',
			`${look.signs.cross} ${problem.what}. ${problem.why}. ${look.named('{board.refresh} refreshes.')}`,
		);
	const kinds = (address === undefined ? undefined : found.get(address))?.labels ?? [];
	const meanings = kinds.map(kind => `${kind}: ${LABEL_MEANINGS[kind] ?? 'a label without a description here'}`);
	if (meanings.length > 0) return words('dim', meanings.join('; '));
	if (rejected.length > 0)
		return words(
			'warn',
			`${rejected.length} ${rejected.length === 1 ? 'word is' : 'words are'} not an address: ${rejected.slice(0, 4).join(', ')}`,
		);
	return [];
}

function detail(state: LabelsState, open: NonNullable<LabelsState['open']>, look: ScreenLook): Row[] {
	const labels = state.found.get(open.address);
	const entity = labels?.entity;
	const facts: readonly (readonly [string, string | undefined])[] = [
		['name', entity?.name],
		['type', entity?.type],
		['about', entity?.description],
		['known as', entity?.labels.join(', ')],
		['platform', labels?.platform?.name],
		['website', entity?.website],
		['twitter', entity?.twitter],
		['github', entity?.github],
		['discord', entity?.discord],
		['telegram', entity?.telegram],
	];
	const who = facts.filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '');
	return [
		...fact(look, 'wallet', open.address, 'strong'),
		[],
		heading(look, state.token === undefined ? 'Labels' : `Labels, relative to ${truncate(state.token.symbol, 14)}`),
		...(labels === undefined
			? sentence(look, 'dim', 'No data yet')
			: labels.labels.length === 0
				? sentence(look, 'dim', 'no labels')
				: labels.labels.map(
						(kind): Row => [
							toned(look, TONES[kind] ?? 'accent', fitTo(kind, 16)),
							toned(
								look,
								'text',
								truncate(LABEL_MEANINGS[kind] ?? 'a label without a description here', look.width - 16),
							),
						],
					)),
		...(who.length === 0
			? []
			: [[], heading(look, 'Who it is'), ...who.flatMap(([name, text]) => fact(look, name, text))]),
		[],
		heading(look, 'First funding, step by step'),
		...(open.path.length === 0
			? sentence(look, 'dim', open.isLooking ? 'Loading' : 'not reported')
			: open.path.flatMap((step, at) => stepRows(step, at, look))),
		...(open.isLooking && open.path.length > 0 ? sentence(look, 'dim', 'Loading one step further back') : []),
	];
}

function stepRows({funding, labels}: PathStep, at: number, look: ScreenLook): Row[] {
	const amount =
		funding.amount === undefined
			? 'amount not reported'
			: `${compact(funding.amount)} ${funding.currency?.symbol ?? ''}`.trim();
	const tags = [funding.fromTag ?? funding.fromEntity?.name ?? labels?.entity?.name, ...(labels?.labels ?? [])].filter(
		Boolean,
	);
	return [
		...fact(
			look,
			`${at + 1}. from`,
			`${funding.from ?? 'not reported'}${tags.length === 0 ? '' : `  (${tags.join(', ')})`}`,
			'strong',
		),
		...fact(
			look,
			'',
			`${amount}, ${dateTime(funding.date, 'time not reported')}${funding.chainId === undefined ? '' : `, ${funding.chainId}`}`,
		),
		...(funding.txHash === undefined ? [] : fact(look, '', funding.txHash, 'faint')),
	];
}
