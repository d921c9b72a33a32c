import type {ReactNode} from 'react';
import {chainWord} from '../../chains/chain-words.ts';
import type {Entry} from '../../contract/entry.ts';
import {truncate} from '../../text.ts';
import {age, progress} from '../format.ts';
import {Line, Text, useWidth} from '../live/lines.tsx';
import {Paragraph} from '../live/paragraph.tsx';
import {Spread} from '../live/spread.tsx';
import type {SectionProps} from './section-props.ts';

/** A token that the service does not report by itself has the figures of its row, which come this often. */
const FRESH_MS = 20_000;

/** Who the token is: symbol, name, stage, chain, age and the whole address. */
export function TokenHead({model, detail}: SectionProps): ReactNode {
	const width = useWidth();
	const {state, glyphs} = model;
	const {entry, lookup, entryAtMs} = detail;
	const oldMs = state.nowMs - entryAtMs;
	const ageMs = entry.created_at === undefined ? undefined : state.nowMs + state.skewMs - entry.created_at;
	const where = [chainWord(entry.chain_id), entry.blockchain, entry.source ?? entry.type, `${age(ageMs)} old`]
		.filter(Boolean)
		.join(` ${glyphs.dot} `);
	const promotion = state.promotions.find(({key}) => key === entry.key);
	const name = (
		<>
			<Text tone="strong">{entry.symbol ?? glyphs.unknown}</Text>
			<Text tone="dim">{`  ${entry.name ?? ''}`}</Text>
		</>
	);
	return (
		<>
			<Line>
				<Spread left={name}>
					<Text tone={entry.bonded ? 'good' : 'bonding'}>{stageOf(entry)}</Text>
				</Spread>
			</Line>
			<Paragraph text={where} tone="dim" />
			{promotion && (
				<Line>
					<Text tone="good">
						{`${glyphs.arrow} came from ${promotion.from} ${age(state.nowMs - promotion.atMs)} ago`}
					</Text>
				</Line>
			)}
			<Paragraph text={inFours(entry.address)} tone="text" />
			{lookup === 'missing' && oldMs > FRESH_MS && (
				<Line>
					<Text tone="warn">{truncate(`not reported by the service: figures of ${age(oldMs)} ago`, width)}</Text>
				</Line>
			)}
		</>
	);
}

function stageOf({bonded, bonding_percentage: percent}: Entry): string {
	if (bonded) return 'bonded';
	return percent === undefined ? 'unknown stage' : `bonding ${progress(percent)}`;
}

/** Groups of four, so that a person can compare an address by eye. */
function inFours(address: string): string {
	const body = address.startsWith('0x') ? address.slice(2) : address;
	const groups = body.match(/.{1,4}/g) ?? [];
	return `${address.startsWith('0x') ? '0x ' : ''}${groups.join(' ')}`;
}
