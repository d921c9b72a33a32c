import type {Detail} from '../../monitor/state.ts';
import type {Row} from '../../terminal/style.ts';
import {dimmed, isOld} from '../old-data.ts';
import type {ViewModel} from '../view-model.ts';
import {about, evidence, links, securityFlags} from './background.ts';
import {activity, market} from './figures.ts';
import {identity} from './identity.ts';
import {position} from './position.ts';
import {priceChart} from './price-chart.ts';
import {risk} from './risk.ts';
import {developer, holderGroups, topHolders} from './wallets.ts';
import {lookalikes, spamWarning} from './warnings.ts';

/** From this height on there is room for a blank line between sections. */
const GAPS_FROM_ROWS = 50;

/**
 * All the lines of the detail pane, from top to bottom; the pane shows a part of them. What decides comes first: warnings,
 * price, risk, developer, holders. Old data is dimmed, as in the columns.
 */
export function detailLines(model: ViewModel, detail: Detail, width: number): Row[] {
	const {entry} = detail;
	const sections = [
		[...identity(model, detail, width), ...spamWarning(model, detail, width)],
		position(model, detail, width),
		lookalikes(model, detail, width),
		priceChart(model, detail, width),
		risk(model, entry, width),
		developer(model, detail, width),
		topHolders(model, detail, width),
		activity(model, entry, width),
		holderGroups(model, entry, width),
		market(model, entry, width),
		securityFlags(model, entry, width),
		links(model, entry, width),
		about(model, entry, width),
		evidence(model, entry, width),
	];
	const gap: Row[] = model.layout.bodyHeight >= GAPS_FROM_ROWS ? [[]] : [];
	const lines = sections
		.filter(section => section.length > 0)
		.flatMap((section, at) => (at === 0 ? section : [...gap, ...section]));
	if (!isOld(model.state)) return lines;
	return lines.map(line => line.map(span => ({...span, style: dimmed(span.style)})));
}
