import type {Detail} from '../../monitor/state.ts';
import type {Row} from '../../terminal/style.ts';
import {dimmed, isOld} from '../old-data.ts';
import type {Scene} from '../scene.ts';
import {about, evidence, links, securityFlags} from './background.ts';
import {activity, market} from './figures.ts';
import {identity} from './identity.ts';
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
export function detailLines(scene: Scene, detail: Detail, width: number): Row[] {
	const {entry} = detail;
	const sections = [
		[...identity(scene, detail, width), ...spamWarning(scene, detail, width)],
		lookalikes(scene, detail, width),
		priceChart(scene, detail, width),
		risk(scene, entry, width),
		developer(scene, detail, width),
		topHolders(scene, detail, width),
		activity(scene, entry, width),
		holderGroups(scene, entry, width),
		market(scene, entry, width),
		securityFlags(scene, entry, width),
		links(scene, entry, width),
		about(scene, entry, width),
		evidence(scene, entry, width),
	];
	const gap: Row[] = scene.layout.bodyHeight >= GAPS_FROM_ROWS ? [[]] : [];
	const lines = sections
		.filter(section => section.length > 0)
		.flatMap((section, at) => (at === 0 ? section : [...gap, ...section]));
	if (!isOld(scene.state)) return lines;
	return lines.map(line => line.map(span => ({...span, style: dimmed(span.style)})));
}
