import type {ReactNode} from 'react';
import type {Labels} from '../../../monitor/state.ts';
import {fitTo, middleEllipsis, truncate} from '../../../text.ts';
import {LABEL_TONES} from '../../detail/label-tones.ts';
import {age, compact, dateTime} from '../../format.ts';
import {Fact, Facts} from '../../live/fact.tsx';
import {Line, Text, useDisplay, useWidth} from '../../live/lines.tsx';
import {Paragraph} from '../../live/paragraph.tsx';
import {TypedLine} from '../../live/typed-line.tsx';
import {markedKey} from '../../screens/list-lines.ts';
import {EndLine, ListPage, type PageFrame, PageTitle, Section, TextPage} from '../../screens/page.tsx';
import type {PageProps} from '../../screens/screen-feature.ts';
import {GAP, type TableCell, TableCells, TableHeadings, tableWidth} from '../../screens/table.tsx';
import {LABEL_MEANINGS, type LabelsState, type PathStep} from './labels-state.ts';

/** The wallets that were looked up, or everything about one. */
export function LabelsPage({state, frame}: PageProps<LabelsState>): ReactNode {
	const {open, addresses, cursor} = state;
	const {unknown} = useDisplay().glyphs;
	const width = useWidth();
	const title = <Title state={state} />;
	if (open) {
		return (
			<TextPage frame={frame} title={title} scroll={state.scroll}>
				<Wallet state={state} open={open} />
			</TextPage>
		);
	}
	const cells = cellsOf(state, frame, width, unknown);
	return (
		<ListPage
			frame={frame}
			title={title}
			headings={<TableHeadings cells={cells} />}
			keys={addresses}
			marked={state}
			line={address => <TableCells cells={cells} of={address} />}
			empty={<Empty state={state} frame={frame} />}
			end={<End state={state} address={markedKey({order: addresses, cursor})} frame={frame} />}
		/>
	);
}

interface PartProps {
	readonly state: LabelsState;
}

function Title({state: {addresses, waiting, token, found}}: PartProps): ReactNode {
	const count = waiting === undefined ? `${addresses.length}` : `${found.size} of ${addresses.length}, loading`;
	return (
		<PageTitle notes={token && <Text tone="accent">{`relative to ${truncate(token.symbol, 14)}`}</Text>}>
			<Text tone="brand">WALLETS</Text>
			{'  '}
			<Text tone="text">{count}</Text>
		</PageTitle>
	);
}

function cellsOf(
	{found, ...state}: LabelsState,
	{nowMs}: PageFrame,
	width: number,
	unknown: string,
): readonly TableCell[] {
	const address = width >= 100 ? 44 : width >= 70 ? 18 : 12;
	const hasFunding = width >= 70;
	const room = width - tableWidth([{width: address}]) - GAP;
	const labels = hasFunding ? Math.floor(room / 2) : room;
	const cells: readonly TableCell[] = [
		{head: 'WALLET', width: address, align: 'left', text: key => ({text: middleEllipsis(key, address), tone: 'text'})},
		{
			head: 'LABELS',
			width: labels,
			align: 'left',
			text: key => <Kinds labels={found.get(key)} state={state} />,
		},
		{
			head: 'FIRST FUNDED',
			width: room - labels - GAP,
			align: 'left',
			text: key => ({text: fundingText(found.get(key)?.funding, nowMs, unknown), tone: 'dim'}),
		},
	];
	return hasFunding ? cells : cells.slice(0, 2);
}

/** The name of the wallet and its labels; a wallet without labels looks different from one that is not loaded. */
function Kinds({
	labels,
	state: {waiting, problem},
}: {
	readonly labels: Labels | undefined;
	readonly state: Pick<LabelsState, 'waiting' | 'problem'>;
}): ReactNode {
	const {ellipsis} = useDisplay().glyphs;
	if (labels === undefined) {
		const hasFailed = problem !== undefined && waiting === undefined;
		return <Text tone={hasFailed ? 'bad' : 'dim'}>{hasFailed ? 'not reported' : ellipsis}</Text>;
	}
	const who = labels.entity?.name ?? labels.platform?.name;
	if (who === undefined && !labels.labels?.length)
		return <Text tone="faint">{labels.labels ? 'no labels' : 'not reported'}</Text>;
	return (
		<>
			{who !== undefined && <Text tone="brand">{who} </Text>}
			{labels.labels?.map(kind => (
				<Text key={kind} tone={LABEL_TONES[kind] ?? 'accent'}>
					{kind}{' '}
				</Text>
			))}
		</>
	);
}

function fundingText(funding: Labels['funding'], nowMs: number, unknown: string): string {
	if (funding === undefined) return unknown;
	const amount = funding.amount === undefined ? '' : `${compact(funding.amount)} ${funding.currency?.symbol ?? ''} `;
	const from =
		funding.fromTag ??
		funding.fromEntity?.name ??
		(funding.from === undefined ? 'not reported' : middleEllipsis(funding.from, 13));
	const when = funding.date === undefined ? '' : `, ${age(nowMs - funding.date)} ago`;
	return `${amount}from ${from}${when}`;
}

function Empty({
	state: {rejected},
	frame: {named},
}: {
	readonly state: LabelsState;
	readonly frame: PageFrame;
}): ReactNode {
	return (
		<>
			<Paragraph
				tone="text"
				text={named(
					'Paste any number of addresses, in any form: one a line, a list, a table. {labels.type} lets you type them.',
				)}
			/>
			<Line />
			{rejected.length > 0 && <Paragraph tone="warn" text={`No address: ${rejected.slice(0, 5).join(', ')}`} />}
			{Object.entries(LABEL_MEANINGS).map(([kind, meaning]) => (
				<Meaning key={kind} kind={kind} tone="dim">
					{meaning}
				</Meaning>
			))}
		</>
	);
}

/** A label and its meaning. */
function Meaning({
	kind,
	tone,
	children,
}: {
	readonly kind: string;
	readonly tone: 'dim' | 'text';
	readonly children: string;
}): ReactNode {
	const width = useWidth();
	return (
		<Line>
			<Text tone={LABEL_TONES[kind] ?? 'accent'}>{fitTo(kind, 16)}</Text>
			<Text tone={tone}>{truncate(children, width - 16)}</Text>
		</Line>
	);
}

const UNDESCRIBED = 'a label without a description here';

/** The last line: the addresses that are typed, else the failure, else the meaning of the marked wallet's labels. */
function End({
	state: {problem, found, rejected},
	address,
	frame: {input, named},
}: {
	readonly state: LabelsState;
	readonly address: string | undefined;
	readonly frame: PageFrame;
}): ReactNode {
	const {cross} = useDisplay().glyphs;
	if (input) return <TypedLine label=" wallets " edit={input.edit} />;
	if (problem) {
		return (
			<EndLine tone="bad">{`${cross} ${problem.what}: ${problem.why}. ${named('{board.refresh} refreshes.')}`}</EndLine>
		);
	}
	const kinds = (address === undefined ? undefined : found.get(address))?.labels ?? [];
	if (kinds.length > 0) {
		return (
			<EndLine tone="dim">{kinds.map(kind => `${kind}: ${LABEL_MEANINGS[kind] ?? UNDESCRIBED}`).join('; ')}</EndLine>
		);
	}
	if (rejected.length === 0) return null;
	return (
		<EndLine tone="warn">
			{`${rejected.length} ${rejected.length === 1 ? 'word is' : 'words are'} not an address: ${rejected.slice(0, 4).join(', ')}`}
		</EndLine>
	);
}

/** Everything about one wallet: its labels, who it is, the way of its first money. */
function Wallet({state, open}: PartProps & {readonly open: NonNullable<LabelsState['open']>}): ReactNode {
	const labels = state.found.get(open.address);
	const title = state.token === undefined ? 'Labels' : `Labels, relative to ${truncate(state.token.symbol, 14)}`;
	return (
		<>
			<Fact label="wallet" tone="strong">
				{open.address}
			</Fact>
			<Section title={title} />
			{labels?.labels?.length ? (
				labels.labels.map(kind => (
					<Meaning key={kind} kind={kind} tone="text">
						{LABEL_MEANINGS[kind] ?? UNDESCRIBED}
					</Meaning>
				))
			) : (
				<Paragraph tone="dim" text={labels ? (labels.labels ? 'no labels' : 'not reported') : 'No data yet'} />
			)}
			<Identity labels={labels} />
			<Section title="First funding, step by step" />
			{open.path.length === 0 && <Paragraph tone="dim" text={open.isLooking ? 'Loading' : 'not reported'} />}
			{open.path.map((step, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
				<Step key={at} step={step} at={at} />
			))}
			{open.isLooking && open.path.length > 0 && <Paragraph tone="dim" text="Loading one step further back" />}
		</>
	);
}

function Identity({labels}: {readonly labels: Labels | undefined}): ReactNode {
	const entity = labels?.entity;
	const facts = {
		name: entity?.name,
		type: entity?.type,
		about: entity?.description,
		'known as': entity?.labels.join(', '),
		platform: labels?.platform?.name,
		website: entity?.website,
		twitter: entity?.twitter,
		github: entity?.github,
		discord: entity?.discord,
		telegram: entity?.telegram,
	};
	const known = Object.entries(facts).filter((pair): pair is [string, string] => Boolean(pair[1]));
	if (known.length === 0) return null;
	return (
		<>
			<Section title="Who it is" />
			<Facts facts={known} />
		</>
	);
}

/** Where the money of a wallet came from, and with it that of the one before. */
function Step({step: {funding, labels}, at}: {readonly step: PathStep; readonly at: number}): ReactNode {
	const amount =
		funding.amount === undefined
			? 'amount not reported'
			: `${compact(funding.amount)} ${funding.currency?.symbol ?? ''}`.trim();
	const tags = [funding.fromTag ?? funding.fromEntity?.name ?? labels?.entity?.name, ...(labels?.labels ?? [])].filter(
		Boolean,
	);
	const chain = funding.chainId === undefined ? '' : `, ${funding.chainId}`;
	return (
		<>
			<Fact label={`${at + 1}. from`} tone="strong">
				{`${funding.from ?? 'not reported'}${tags.length === 0 ? '' : `  (${tags.join(', ')})`}`}
			</Fact>
			<Fact label="">{`${amount}, ${dateTime(funding.date, 'time not reported')}${chain}`}</Fact>
			{funding.txHash !== undefined && (
				<Fact label="" tone="faint">
					{funding.txHash}
				</Fact>
			)}
		</>
	);
}
