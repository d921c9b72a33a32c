import type {ReactNode} from 'react';
import {middleEllipsis} from '../../../text.ts';
import {dateTime} from '../../format.ts';
import {Line, Text} from '../../live/lines.tsx';
import {Paragraph} from '../../live/paragraph.tsx';
import {PageTitle, TextPage} from '../../screens/page.tsx';
import type {PageProps} from '../../screens/screen-feature.ts';
import {Tabs} from '../../screens/tabs.tsx';
import type {ActionLogState, LogLine} from './action-log-state.ts';

/** Every request that could move money, newest first, as the journal has it. */
export function ActionLogPage({state, monitor, frame}: PageProps<ActionLogState>): ReactNode {
	const {embedded, isPractice = embedded} = monitor.service;
	return (
		<TextPage
			frame={frame}
			title={
				<PageTitle>
					<Tabs monitor={monitor} shown="log" />
				</PageTitle>
			}
			scroll={state.scroll}
		>
			<Records state={state} world={isPractice ? 'practice money' : 'real money'} />
		</TextPage>
	);
}

interface RecordsProps {
	readonly state: ActionLogState;
	readonly world: string;
}

function Records({state: {lines, wallet, problem}, world}: RecordsProps): ReactNode {
	if (problem) {
		return (
			<>
				<Paragraph tone="bad" text={problem.what} />
				<Paragraph tone="text" text={problem.why} />
				<Paragraph tone="dim" text={problem.advice} />
			</>
		);
	}
	if (lines === undefined) return <Paragraph tone="dim" text="Loading" />;
	const shown = wallet === undefined ? lines : lines.filter(line => line.wallet === wallet);
	const whose = wallet === undefined ? 'all wallets' : `wallet ${wallet}`;
	const text =
		shown.length === 0
			? `No records yet. Every request that could move ${world} is listed here.`
			: `${shown.length} of ${lines.length} records, ${world}, ${whose}. The chain of their hashes is intact.`;
	return (
		<>
			<Paragraph tone="dim" text={text} />
			{shown.map(line => (
				<LogRecord key={line.seq} {...line} />
			))}
		</>
	);
}

function LogRecord({seq, atMs, what, detail, about, wallet}: LogLine): ReactNode {
	const facts = [detail, about, wallet === undefined ? '' : `wallet ${middleEllipsis(wallet, 15)}`];
	return (
		<>
			<Line />
			<Line>
				<Text tone="dim">{`${dateTime(atMs)}  `}</Text>
				<Text tone="strong">{what}</Text>
				<Text tone="faint">{`  #${seq}`}</Text>
			</Line>
			<Paragraph tone="text" text={facts.filter(fact => fact !== '').join(' · ')} indent={2} />
		</>
	);
}
