import type {ReactNode} from 'react';
import {MARKET_LABELS} from '../../monitor/market-kind.ts';
import {shownMs} from '../../monitor/select.ts';
import {topMode, type Visit} from '../../monitor/state.ts';
import {clock} from '../format.ts';
import {Text} from '../live/lines.tsx';
import type {ViewModel} from '../view-model.ts';

const TRANSFER_TONES = {info: 'accent', good: 'good', warn: 'warn', bad: 'bad'} as const;

/** Marks that must never be missed: they stand in every mode, at every size. */
export function Badges({model}: {readonly model: ViewModel}): ReactNode {
	const {state, glyphs} = model;
	const {service, transfer, alerts} = state;
	return (
		<>
			{service.recording && <Badge tone="badgeBad">RECORDING</Badge>}
			{(service.embedded || service.isPractice) && <Badge tone="badge">PRACTICE</Badge>}
			{service.market !== undefined && <Badge tone="badge">{MARKET_LABELS[service.market].badge}</Badge>}
			{topMode(state).kind === 'rewind' && (
				<Badge tone="badgeBad">{`REWIND ${clock(shownMs(state, state.nowMs))}`}</Badge>
			)}
			{state.paused && <Badge tone="badgeBad">{`${glyphs.paused} PAUSED`}</Badge>}
			{transfer && <Text tone={TRANSFER_TONES[transfer.tone]}>{`${glyphs.live} ${transfer.text} `}</Text>}
			{alerts.unseen > 0 && <Text tone="warn">{`${alerts.unseen} alert${alerts.unseen === 1 ? '' : 's'} `}</Text>}
			{state.readOnly && !service.recording && <Text tone="dim">read-only </Text>}
			{state.visit && <Text tone="dim">{`${visitText(state.visit)} `}</Text>}
		</>
	);
}

/** Who looks, over SSH, and how many do: `guest · 12 viewers`. */
function visitText({name = 'guest', viewers}: Visit): string {
	return viewers === 1 ? name : `${name}, ${viewers} viewers`;
}

function Badge({tone, children}: {readonly tone: 'badge' | 'badgeBad'; readonly children: string}): ReactNode {
	return (
		<>
			<Text tone={tone}> {children} </Text>
			<Text> </Text>
		</>
	);
}
