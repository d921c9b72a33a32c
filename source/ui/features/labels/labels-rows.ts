import type {Labels} from '../../../monitor/state.ts';
import type {Row, Span} from '../../../terminal/style.ts';
import {fitTo, middleEllipsis, truncate} from '../../../text.ts';
import {LABEL_TONES} from '../../detail/label-tones.ts';
import {age, compact, dateTime} from '../../format.ts';
import {fact, heading, paragraph} from '../../money/money-rows.ts';
import {inputLine, listScreen, pageScreen, type ScreenCanvas, screenTitle} from '../../screens/screen-rows.ts';
import type {Tone} from '../../theme.ts';
import {cutSpans, toned} from '../../view-model.ts';
import {LABEL_MEANINGS, type LabelsState, type PathStep} from './labels-state.ts';

/** The lines of the wallets screen. */
export function labelsRows(state: LabelsState, canvas: ScreenCanvas): Row[] {
	const {open, addresses, found, cursor} = state;
	if (open)
		return pageScreen(
			canvas,
			title(state, canvas),
			detail(state, open, {...canvas, width: canvas.width - 2}),
			state.scroll,
		);
	const index = Math.max(addresses.indexOf(cursor ?? ''), 0);
	const widths = columnsOf(canvas.width);
	return listScreen(canvas, {
		title: title(state, canvas),
		header: [
			toned(
				canvas,
				'faint',
				truncate(
					`   ${fitTo('WALLET', widths.address)}${fitTo('LABELS', widths.kinds)}${widths.funding === 0 ? '' : 'FIRST FUNDED'}`,
					canvas.width,
				),
			),
		],
		keys: addresses,
		marked: state,
		line: at => line(addresses[at]!, found.get(addresses[at]!), state, widths, canvas),
		empty: emptyRows(state, {...canvas, width: canvas.width - 2}),
		end: endLine(state, addresses[index], canvas),
	});
}

function title({addresses, waiting, token, found}: LabelsState, canvas: ScreenCanvas): Row {
	const text = waiting === undefined ? `${addresses.length}` : `${found.size} of ${addresses.length}, loading`;
	const relative = token === undefined ? [] : [toned(canvas, 'accent', `relative to ${truncate(token.symbol, 14)}`)];
	return screenTitle(canvas, [toned(canvas, 'brand', 'WALLETS'), {text: '  '}, toned(canvas, 'text', text)], relative);
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

function line(address: string, labels: Labels | undefined, state: LabelsState, w: Widths, canvas: ScreenCanvas): Row {
	return [
		{text: '  '},
		toned(canvas, 'text', fitTo(middleEllipsis(address, w.address - 1), w.address)),
		...padded(kindSpans(labels, state, canvas), w.kinds),
		...(w.funding === 0 ? [] : [toned(canvas, 'dim', truncate(fundingText(labels?.funding, canvas), w.funding))]),
	];
}

function padded(spans: readonly Span[], width: number): Span[] {
	const cut = cutSpans(spans, width - 1);
	const used = cut.reduce((sum, span) => sum + span.text.length, 0);
	return [...cut, {text: ' '.repeat(Math.max(width - used, 1))}];
}

/** The name of the wallet and its labels; a wallet without labels looks different from one that is not loaded. */
function kindSpans(labels: Labels | undefined, {waiting, problem}: LabelsState, canvas: ScreenCanvas): Span[] {
	if (labels === undefined) {
		return [
			toned(
				canvas,
				problem && waiting === undefined ? 'bad' : 'dim',
				problem && waiting === undefined ? 'not reported' : canvas.glyphs.ellipsis,
			),
		];
	}
	const who = labels.entity?.name ?? labels.platform?.name;
	const spans = [
		...(who === undefined ? [] : [toned(canvas, 'brand', `${who} `)]),
		...labels.labels.map(kind => toned(canvas, LABEL_TONES[kind] ?? 'accent', `${kind} `)),
	];
	return spans.length === 0 ? [toned(canvas, 'faint', 'no labels')] : spans;
}

function fundingText(funding: Labels['funding'], {nowMs, glyphs}: ScreenCanvas): string {
	if (funding === undefined) return glyphs.unknown;
	const amount = funding.amount === undefined ? '' : `${compact(funding.amount)} ${funding.currency?.symbol ?? ''} `;
	const from =
		funding.fromTag ??
		funding.fromEntity?.name ??
		(funding.from === undefined ? 'not reported' : middleEllipsis(funding.from, 13));
	const when = funding.date === undefined ? '' : `, ${age(nowMs - funding.date)} ago`;
	return `${amount}from ${from}${when}`;
}

function emptyRows({rejected}: LabelsState, canvas: ScreenCanvas): Row[] {
	return [
		...paragraph(
			canvas,
			'text',
			canvas.named(
				'Paste any number of addresses, in any form: one a line, a list, a table. {labels.type} lets you type them.',
			),
		),
		[],
		...(rejected.length > 0 ? paragraph(canvas, 'warn', `No address: ${rejected.slice(0, 5).join(', ')}`) : []),
		...Object.entries(LABEL_MEANINGS).map(
			([kind, meaning]): Row => [
				toned(canvas, LABEL_TONES[kind] ?? 'accent', fitTo(kind, 16)),
				toned(canvas, 'dim', truncate(meaning, canvas.width - 16)),
			],
		),
	];
}

/** The last line: the addresses that are typed, else the failure, else the meaning of the marked wallet's labels. */
function endLine(state: LabelsState, address: string | undefined, canvas: ScreenCanvas): Row {
	if (canvas.input) return inputLine(canvas, 'wallets', canvas.input.edit);
	const {problem, found, rejected} = state;
	const cut = (tone: Tone, text: string): Row => cutSpans([toned(canvas, tone, ` ${text}`)], canvas.width);
	if (problem)
		return cut(
			'bad',
			`${canvas.glyphs.cross} ${problem.what}. ${problem.why}. ${canvas.named('{board.refresh} refreshes.')}`,
		);
	const kinds = (address === undefined ? undefined : found.get(address))?.labels ?? [];
	const meanings = kinds.map(kind => `${kind}: ${LABEL_MEANINGS[kind] ?? 'a label without a description here'}`);
	if (meanings.length > 0) return cut('dim', meanings.join('; '));
	if (rejected.length > 0)
		return cut(
			'warn',
			`${rejected.length} ${rejected.length === 1 ? 'word is' : 'words are'} not an address: ${rejected.slice(0, 4).join(', ')}`,
		);
	return [];
}

function detail(state: LabelsState, open: NonNullable<LabelsState['open']>, canvas: ScreenCanvas): Row[] {
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
		...fact(canvas, 'wallet', open.address, 'strong'),
		[],
		heading(canvas, state.token === undefined ? 'Labels' : `Labels, relative to ${truncate(state.token.symbol, 14)}`),
		...(labels === undefined
			? paragraph(canvas, 'dim', 'No data yet')
			: labels.labels.length === 0
				? paragraph(canvas, 'dim', 'no labels')
				: labels.labels.map(
						(kind): Row => [
							toned(canvas, LABEL_TONES[kind] ?? 'accent', fitTo(kind, 16)),
							toned(
								canvas,
								'text',
								truncate(LABEL_MEANINGS[kind] ?? 'a label without a description here', canvas.width - 16),
							),
						],
					)),
		...(who.length === 0
			? []
			: [[], heading(canvas, 'Who it is'), ...who.flatMap(([name, text]) => fact(canvas, name, text))]),
		[],
		heading(canvas, 'First funding, step by step'),
		...(open.path.length === 0
			? paragraph(canvas, 'dim', open.isLooking ? 'Loading' : 'not reported')
			: open.path.flatMap((step, at) => stepRows(step, at, canvas))),
		...(open.isLooking && open.path.length > 0 ? paragraph(canvas, 'dim', 'Loading one step further back') : []),
	];
}

function stepRows({funding, labels}: PathStep, at: number, canvas: ScreenCanvas): Row[] {
	const amount =
		funding.amount === undefined
			? 'amount not reported'
			: `${compact(funding.amount)} ${funding.currency?.symbol ?? ''}`.trim();
	const tags = [funding.fromTag ?? funding.fromEntity?.name ?? labels?.entity?.name, ...(labels?.labels ?? [])].filter(
		Boolean,
	);
	return [
		...fact(
			canvas,
			`${at + 1}. from`,
			`${funding.from ?? 'not reported'}${tags.length === 0 ? '' : `  (${tags.join(', ')})`}`,
			'strong',
		),
		...fact(
			canvas,
			'',
			`${amount}, ${dateTime(funding.date, 'time not reported')}${funding.chainId === undefined ? '' : `, ${funding.chainId}`}`,
		),
		...(funding.txHash === undefined ? [] : fact(canvas, '', funding.txHash, 'faint')),
	];
}
