import type {Detail} from '../../monitor/state.ts';
import type {Row} from '../../terminal/style.ts';
import type {Scene} from '../scene.ts';
import {about, links, securityFlags} from './background.ts';
import {holdings, market, windowsTable} from './figures.ts';
import {identity, priceLine} from './identity.ts';
import {deployer, topHolders} from './wallets.ts';
import {lookAlikes} from './warnings.ts';

/** All the lines of the detail pane, from top to bottom; the pane shows a part of them. */
export function detailLines(scene: Scene, detail: Detail, width: number): Row[] {
	const sections = [
		identity(scene, detail, width),
		lookAlikes(scene, detail, width),
		priceLine(scene, detail, width),
		windowsTable(scene, detail.entry, width),
		holdings(scene, detail.entry, width),
		market(scene, detail.entry, width),
		deployer(scene, detail, width),
		topHolders(scene, detail, width),
		securityFlags(scene, detail.entry, width),
		links(scene, detail.entry, width),
		about(scene, detail.entry, width),
	];
	return sections.filter(lines => lines.length > 0).flatMap((lines, at) => (at === 0 ? lines : [[], ...lines]));
}
