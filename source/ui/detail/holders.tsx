import type {ReactNode} from 'react';
import type {Holder} from '../../contract/entry.ts';
import type {FieldName} from '../../contract/fields.ts';
import type {Detail} from '../../monitor/state.ts';
import {fitTo, middleEllipsis, padEnd, padStart} from '../../text.ts';
import {grouped, share, usd} from '../format.ts';
import {FromRows, Line, Text, useDisplay} from '../live/lines.tsx';
import {CutLine, Heading, InColumns} from '../live/section.tsx';
import {walletCount} from './risk-bars.tsx';
import type {SectionProps} from './section-props.ts';
import {labelsOf, WalletLabels} from './wallet-labels.tsx';

/** How many holders are listed; more are a matter of the command line. */
const MAX_HOLDERS = 15;

/**
 * The largest holders with their labels relative to this token. While they are looked up the section takes the room
 * that they will need, so that nothing below moves when they come.
 */
export function TopHolders({model, detail}: SectionProps): ReactNode {
	const {entry} = detail;
	const holders = (entry.holders ?? []).slice(0, MAX_HOLDERS);
	const {holders_count: all} = entry;
	const title = all === undefined || all === 0 ? 'TOP HOLDERS' : `TOP HOLDERS of ${grouped(all)}`;
	return (
		<>
			<Heading title={title} note={holders.length > 0 ? 'share, value, profit' : ''} />
			{holders.map(holder => (
				<HolderLine key={holder.address} detail={detail} holder={holder} />
			))}
			{holders.length === 0 && <NoHolders model={model} detail={detail} />}
		</>
	);
}

/** Why no holders are listed. */
function NoHolders({model, detail: {entry, lookup}}: SectionProps): ReactNode {
	const {glyphs} = useDisplay();
	const {holders_count: all} = entry;
	if (lookup === 'found' || lookup === 'missing') {
		return (
			<Line>
				<Text tone="dim">{all === 0 ? 'nobody holds the token' : 'not reported'}</Text>
			</Line>
		);
	}
	const isAway = model.state.link?.phase === 'offline';
	const rows = Math.min(Math.max(all ?? MAX_HOLDERS, 1), MAX_HOLDERS);
	return (
		<>
			<Line>
				<Text tone="dim">{isAway ? 'not read: the service is away' : `top holders ${glyphs.ellipsis}`}</Text>
			</Line>
			<FromRows rows={Array.from({length: rows - 1}, () => [])} />
		</>
	);
}

function HolderLine({detail, holder}: {readonly detail: Detail; readonly holder: Holder}): ReactNode {
	const {unknown} = useDisplay().glyphs;
	const supply = detail.entry.total_supply;
	const {balance, realizedPnlUSD: realized, unrealizedPnlUSD: unrealized} = holder;
	const percent = supply === undefined || supply === 0 || balance === undefined ? undefined : (balance / supply) * 100;
	const pnl = realized === undefined || unrealized === undefined ? undefined : realized + unrealized;
	const sign = pnl !== undefined && pnl >= 0 ? '+' : '';
	return (
		<CutLine>
			<Text tone="text">{fitTo(middleEllipsis(holder.address, 13), 14)}</Text>
			<Text tone="text">{padStart(share(percent), 6)}</Text>
			<Text tone="dim">{padStart(usd(holder.balanceUSD, unknown), 8)}</Text>
			<Text tone={pnl === undefined ? 'dim' : sign ? 'up' : 'down'}>{padStart(`${sign}${usd(pnl, unknown)}`, 9)}</Text>
			<WalletLabels labels={labelsOf(detail, holder.address)} />
		</CutLine>
	);
}

const GROUPS: readonly (readonly [name: string, share: FieldName, count?: FieldName])[] = [
	['fresh', 'fresh_traders_holdings_percentage', 'fresh_traders_count'],
	['pro', 'pro_traders_holdings_percentage', 'pro_traders_count'],
	['smart', 'smart_traders_holdings_percentage', 'smart_traders_count'],
	['top 50', 'top_50_holdings_percentage'],
	['top 100', 'top_100_holdings_percentage'],
	['top 200', 'top_200_holdings_percentage'],
];

/** Shares of the supply of groups of holders that are no risk by themselves. */
export function HolderGroups({model, detail: {entry}}: SectionProps): ReactNode {
	const parts = GROUPS.map(([name, field, counted]) => (
		<>
			<Text tone="dim">{padEnd(name, 10)}</Text>
			<Text tone="text">{`${padStart(share(entry[field] as number | undefined, model.glyphs.unknown), 5)} `}</Text>
			<Text tone="faint">
				{walletCount(counted === undefined ? undefined : (entry[counted] as number | undefined))}
			</Text>
		</>
	));
	return (
		<>
			<Heading title="HOLDER GROUPS" note="share of supply" />
			<InColumns parts={parts} columnWidth={31} />
		</>
	);
}
