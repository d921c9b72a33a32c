import type {Detail} from '../../monitor/state.ts';
import type {Row} from '../../terminal/style.ts';
import {truncate} from '../../text.ts';
import {boundKeys} from '../bound-keys.ts';
import {chainWord} from '../cells.ts';
import {age, change, price, progress} from '../format.ts';
import {withKeys} from '../key-texts.ts';
import {type Scene, spread, toned} from '../scene.ts';
import {drawSparkline} from '../sparkline.ts';
import type {Tone} from '../theme.ts';
import {wrapText} from '../wrap-text.ts';
import {heading} from './blocks.ts';

/** Groups of four, so that a person can compare an address by eye. */
function inFours(address: string): string {
	const body = address.startsWith('0x') ? address.slice(2) : address;
	const groups = body.match(/.{1,4}/g) ?? [];
	return `${address.startsWith('0x') ? '0x ' : ''}${groups.join(' ')}`;
}

/** Who the token is: symbol, name, stage, chain, age and the whole address. */
export function identity(scene: Scene, {entry, lookup}: Detail, width: number): Row[] {
	const {state} = scene;
	const ageMs = entry.created_at === undefined ? undefined : state.nowMs + state.skewMs - entry.created_at;
	const stage = entry.bonded
		? 'bonded'
		: entry.bonding_percentage === undefined
			? 'unknown stage'
			: `bonding ${progress(entry.bonding_percentage)}`;
	const title = spread(
		[toned(scene, 'strong', entry.symbol ?? scene.signs.unknown), toned(scene, 'dim', `  ${entry.name ?? ''}`)],
		[toned(scene, entry.bonded ? 'good' : 'bonding', stage)],
		width,
	);
	const where = [chainWord(entry.chain_id), entry.blockchain, entry.source ?? entry.type, `${age(ageMs)} old`]
		.filter(Boolean)
		.join(` ${scene.signs.dot} `);
	const lines: Row[] = [title, ...wrapText(where, width).map((line): Row => [toned(scene, 'dim', line)])];
	const passage = state.passages.find(({key}) => key === entry.key);
	if (passage)
		lines.push([
			toned(scene, 'good', `${scene.signs.arrow} came from ${passage.from} ${age(state.nowMs - passage.atMs)} ago`),
		]);
	for (const line of wrapText(inFours(entry.address), width)) lines.push([toned(scene, 'text', line)]);
	if (lookup.kind === 'failed')
		lines.push([toned(scene, 'bad', truncate(`${lookup.problem.what}: ${lookup.problem.why}`, width))]);
	return lines;
}

const SPARKLINE_ROWS = 5;

/** The price line of the chosen time frame, with its least, its greatest and its last price. */
export function priceLine(scene: Scene, {entry, sparkline, timeFrame}: Detail, width: number): Row[] {
	const {signs} = scene;
	const subscripts = signs.subscripts;
	const value = sparkline.kind === 'ready' ? sparkline.value : sparkline.kind === 'idle' ? undefined : sparkline.last;
	const moved = entry.price_change_24h;
	const head = heading(
		scene,
		`PRICE ${price(entry.latest_price, {subscripts})}`,
		width,
		`${timeFrame}  ${withKeys('{detail.time}: other time', boundKeys(scene.state), subscripts === '')}`,
	);
	if (value === undefined) {
		const words =
			sparkline.kind === 'failed'
				? `${sparkline.problem.what}. ${sparkline.problem.why}`
				: sparkline.kind === 'ready'
					? 'The service has no price line for it.'
					: 'Loading the price line';
		return [
			head,
			...wrapText(words, width).map(line => [toned(scene, sparkline.kind === 'failed' ? 'bad' : 'dim', line)]),
		];
	}
	const ascii = signs.subscripts === '';
	const tone: Tone = value.points.at(-1)! >= value.points[0]! ? 'up' : 'down';
	const lines: Row[] = drawSparkline(value.points, width, SPARKLINE_ROWS, ascii).map(line => [
		toned(scene, tone, line),
	]);
	const scale =
		value.unit === 'usd'
			? `min ${price(value.min, {subscripts})}  max ${price(value.max, {subscripts})}  last ${price(value.last, {subscripts})}`
			: 'no scale given';
	return [
		head,
		...lines,
		spread(
			[toned(scene, 'dim', scale)],
			[toned(scene, (moved ?? 0) >= 0 ? 'up' : 'down', `24h ${change(moved)}`)],
			width,
		),
	];
}
