import type {ReactNode} from 'react';
import {scopeLabel} from '../../monitor/columns/scope.ts';
import {activeSlot} from '../../monitor/saved-views/saved-view-transitions.ts';
import {shownMs} from '../../monitor/select.ts';
import type {MonitorState} from '../../monitor/state.ts';
import {clock, dateTime} from '../format.ts';
import {Line, type Measured, measured, Text, useWidth} from '../live/lines.tsx';
import {Spread} from '../live/spread.tsx';
import type {ViewModel} from '../view-model.ts';
import {Badges} from './badges.tsx';
import {ConnectionProblems} from './connection-problems.tsx';
import {DataSource} from './data-source.tsx';

/** A narrower screen has no room for problems of the connection beside the source of the data. */
const PROBLEMS_FROM_WIDTH = 60;

/** The first line of the screen: badges, the source of the data, saved view; at the right problems of the connection, and the time. */
export function Header({model}: {readonly model: ViewModel}): ReactNode {
	const width = useWidth();
	const {state} = model;
	const make = (node: ReactNode): Measured => measured(node, model, width);
	const start = make(
		<>
			<Text tone="brand"> pulsetop </Text>
			<Badges model={model} />
		</>,
	);
	const rest = make(
		<>
			<Scope state={state} />
			<Address state={state} />
			<SavedView state={state} />
		</>,
	);
	const time = make(<Clock state={state} />);
	const problems = make(<ConnectionProblems link={state.link} />);
	const source = make(<DataSource model={model} room={width - start.width - rest.width - time.width} />);
	// The source of the data is shown in full before the figures of the connection.
	const all = start.width + source.width + rest.width + problems.width + time.width;
	const hasProblems = width >= PROBLEMS_FROM_WIDTH && all < width;
	const left = (
		<>
			{start.part}
			{source.part}
			{rest.part}
		</>
	);
	return (
		<Line>
			<Spread left={left}>
				{hasProblems && problems.part}
				{width >= PROBLEMS_FROM_WIDTH && time.part}
			</Spread>
		</Line>
	);
}

interface StateProps {
	readonly state: MonitorState;
}

/** The chains and launchpads that all columns are limited to. */
function Scope({state}: StateProps): ReactNode {
	const label = scopeLabel(state.scope);
	return label !== '' && <Text tone="accent"> only {label}</Text>;
}

/** The service, or the address in use when there are several. */
function Address({state}: StateProps): ReactNode {
	const label = state.link?.address ?? state.service.label;
	return label !== '' && <Text tone="dim"> {label}</Text>;
}

/** The saved view that the columns show. */
function SavedView({state}: StateProps): ReactNode {
	const slot = activeSlot(state);
	if (slot === undefined) return null;
	const {name} = state.savedViews.get(slot)!;
	// A view without a name of its own is called by its number.
	return (
		<>
			<Text tone="key">{name === `View ${slot}` ? '  ' : `  ${slot} `}</Text>
			<Text tone="text">{name}</Text>
		</>
	);
}

/** The time; in a recording the recorded one. */
function Clock({state}: StateProps): ReactNode {
	const format = state.service.recording ? dateTime : clock;
	// The zone of the server is not that of a viewer: there all times are UTC.
	return <Text tone="dim">{`${format(shownMs(state, state.nowMs))}${state.visit ? 'Z' : ''} `}</Text>;
}
