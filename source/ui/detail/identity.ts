import {chainWord} from '../../chains/chain-words.ts';
import type {Detail} from '../../monitor/state.ts';
import type {Row} from '../../terminal/style.ts';
import {truncate} from '../../text.ts';
import {age, progress} from '../format.ts';
import {spread, toned, type ViewModel} from '../view-model.ts';
import {wrapText} from '../wrap-text.ts';

/** Groups of four, so that a person can compare an address by eye. */
function inFours(address: string): string {
	const body = address.startsWith('0x') ? address.slice(2) : address;
	const groups = body.match(/.{1,4}/g) ?? [];
	return `${address.startsWith('0x') ? '0x ' : ''}${groups.join(' ')}`;
}

/** Who the token is: symbol, name, stage, chain, age and the whole address. */
export function identity(model: ViewModel, {entry, lookup}: Detail, width: number): Row[] {
	const {state} = model;
	const ageMs = entry.created_at === undefined ? undefined : state.nowMs + state.skewMs - entry.created_at;
	const stage = entry.bonded
		? 'bonded'
		: entry.bonding_percentage === undefined
			? 'unknown stage'
			: `bonding ${progress(entry.bonding_percentage)}`;
	const title = spread(
		[toned(model, 'strong', entry.symbol ?? model.glyphs.unknown), toned(model, 'dim', `  ${entry.name ?? ''}`)],
		[toned(model, entry.bonded ? 'good' : 'bonding', stage)],
		width,
	);
	const where = [chainWord(entry.chain_id), entry.blockchain, entry.source ?? entry.type, `${age(ageMs)} old`]
		.filter(Boolean)
		.join(` ${model.glyphs.dot} `);
	const lines: Row[] = [title, ...wrapText(where, width).map((line): Row => [toned(model, 'dim', line)])];
	const promotion = state.promotions.find(({key}) => key === entry.key);
	if (promotion)
		lines.push([
			toned(
				model,
				'good',
				`${model.glyphs.arrow} came from ${promotion.from} ${age(state.nowMs - promotion.atMs)} ago`,
			),
		]);
	for (const line of wrapText(inFours(entry.address), width)) lines.push([toned(model, 'text', line)]);
	if (lookup.kind === 'failed')
		lines.push([toned(model, 'bad', truncate(`${lookup.problem.what}: ${lookup.problem.why}`, width))]);
	return lines;
}
