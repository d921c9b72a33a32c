import type {ReactNode} from 'react';
import type {Row} from '../../terminal/style.ts';
import {linesOf} from '../live/lines.tsx';
import {dimmed, isOld} from '../old-data.ts';
import type {ViewModel} from '../view-model.ts';
import {Activity} from './activity.tsx';
import {About, Links, Security, ShellCommand} from './background.tsx';
import {Developer} from './developer.tsx';
import {HolderGroups, TopHolders} from './holders.tsx';
import {MarketFigures} from './market-figures.tsx';
import {Position} from './position.tsx';
import {PriceChart} from './price-chart.tsx';
import {RiskBars} from './risk-bars.tsx';
import type {SectionProps} from './section-props.ts';
import {TokenHead} from './token-head.tsx';
import {Lookalikes, Warnings} from './warnings.tsx';

/** From this height on there is room for a blank line between sections. */
const GAPS_FROM_ROWS = 50;

function TokenHeadAndWarnings(props: SectionProps): ReactNode {
	return (
		<>
			<TokenHead {...props} />
			<Warnings {...props} />
		</>
	);
}

/** From top to bottom. What decides comes first: warnings, price, risk, developer, holders. */
const SECTIONS: readonly ((props: SectionProps) => ReactNode)[] = [
	TokenHeadAndWarnings,
	Position,
	Lookalikes,
	PriceChart,
	RiskBars,
	Developer,
	TopHolders,
	Activity,
	HolderGroups,
	MarketFigures,
	Security,
	Links,
	About,
	ShellCommand,
];

/** All the lines of the detail pane; the pane shows a part of them. Old data is dimmed, as in the columns. */
export function detailLines(model: ViewModel): readonly Row[] {
	const {state, layout} = model;
	const {detail} = state;
	if (detail === undefined || layout.detail === undefined) return [];
	const props = {model, detail};
	const width = layout.detail.width - 2;
	const gap: Row[] = layout.bodyHeight >= GAPS_FROM_ROWS ? [[]] : [];
	const lines = SECTIONS.map(Section => linesOf(<Section {...props} />, model.display, width))
		.filter(section => section.length > 0)
		.flatMap((section, at) => (at === 0 ? section : [...gap, ...section]));
	if (!isOld(state)) return lines;
	return lines.map(line => line.map(span => ({...span, style: dimmed(span.style)})));
}
