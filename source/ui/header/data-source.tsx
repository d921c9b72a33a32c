import type {ReactNode} from 'react';
import {summaryOf} from '../../monitor/following.ts';
import type {Following, Recording} from '../../monitor/state.ts';
import {measured, Text, useDisplay} from '../live/lines.tsx';
import type {ViewModel} from '../view-model.ts';
import {LinkState} from './link-state.tsx';

/** The source of the data and its state: the connection, the followed chains or a recording. */
export function DataSource({model, room}: {readonly model: ViewModel; readonly room: number}): ReactNode {
	const {recording, follow} = model.state.service;
	if (recording) return <Playback recording={recording} />;
	return follow ? <FollowedChains model={model} follow={follow} room={room} /> : <LinkState model={model} />;
}

/** The state of the playback. A recording has no connection to report. */
function Playback({recording: {phase, speed}}: {readonly recording: Recording}): ReactNode {
	const {glyphs} = useDisplay();
	if (phase === 'playing') return <Text tone="good">{`${glyphs.live} playing ${speed}x`}</Text>;
	const text = {ended: 'at its end', cut: 'cut off here', broken: 'damaged here'}[phase];
	return <Text tone={phase === 'ended' ? 'warn' : 'bad'}>{`${glyphs.paused} ${text}`}</Text>;
}

const BADGES = {good: 'badgeGood', warn: 'badge', bad: 'badgeBad'} as const;

/**
 * The chains of a real market and their worst problem: `LIVE base, bnb · 1.2 s behind`. Where room is short
 * chains are counted, since the reason of a stall is worth more than their names.
 */
function FollowedChains({
	model,
	follow,
	room,
}: {
	readonly model: ViewModel;
	readonly follow: Following;
	readonly room: number;
}): ReactNode {
	const {tone, text, isLive} = summaryOf(follow, model.liveMs);
	const {link} = model.state;
	const [first = '', ...others] = follow.names;
	const withNames = (names: string): ReactNode => (
		<>
			<Text tone={BADGES[tone]}>{isLive ? ' LIVE ' : ' NOT LIVE '}</Text>
			<Text tone="text"> {names} </Text>
			<Text tone={tone}>{`${model.glyphs.dot} ${text}`}</Text>
			{/* The connection to the own service goes without saying while it is there. */}
			{link !== undefined && link.phase !== 'live' && (
				<>
					{' '}
					<LinkState model={model} />
				</>
			)}
		</>
	);
	const named = measured(withNames(follow.names.join(', ')), model, room);
	return named.width < room || others.length === 0 ? named.part : withNames(`${first} +${others.length}`);
}
