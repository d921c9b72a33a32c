import type {ReactNode} from 'react';
import type {Entry} from '../../contract/entry.ts';
import {whyNoLabels} from '../../monitor/market-kind.ts';
import type {Detail, Labels} from '../../monitor/state.ts';
import {middleEllipsis, truncate} from '../../text.ts';
import {age, compact, grouped} from '../format.ts';
import {Line, Text, useWidth} from '../live/lines.tsx';
import {CutLine, Heading} from '../live/section.tsx';
import {inTimeFollowed} from '../time-followed.ts';
import type {ViewModel} from '../view-model.ts';
import type {SectionProps} from './section-props.ts';
import {labelsOf, WalletLabels} from './wallet-labels.tsx';

/** The deployer with wallet labels, launches and funding: four lines, known or not. */
export function Developer({model, detail}: SectionProps): ReactNode {
	const width = useWidth();
	const {entry} = detail;
	if (entry.deployer === undefined) {
		return (
			<>
				<Heading title="DEVELOPER" />
				<Line>
					<Text tone="dim">not reported</Text>
				</Line>
			</>
		);
	}
	const own = labelsOf(detail, entry.deployer);
	return (
		<>
			<Heading title="DEVELOPER" />
			<CutLine>
				<Text tone="text">{middleEllipsis(entry.deployer, width >= 76 ? 44 : 21)}</Text>
				<OwnLabels model={model} detail={detail} labels={own} />
			</CutLine>
			<Line>
				<Text tone="dim">{truncate(recordText(entry, inTimeFollowed(model.state, entry.chain_id)), width)}</Text>
			</Line>
			<Line>
				<Text tone="dim">{truncate(fundingText(model, detail, own), width)}</Text>
			</Line>
		</>
	);
}

interface OwnLabelsProps {
	readonly model: ViewModel;
	readonly detail: Detail;
	readonly labels: Labels | undefined;
}

/** The labels of the developer, or why there are none. */
function OwnLabels({model, detail: {labels: lookup}, labels}: OwnLabelsProps): ReactNode {
	if (labels !== undefined) {
		if (labels.labels?.length || labels.entity) return <WalletLabels labels={labels} />;
		return <Text tone="dim">{labels.labels ? ' no labels' : ' labels not reported'}</Text>;
	}
	const none = whyNoLabels(model.state.service);
	if (none !== undefined) return <Text tone="dim"> {none}</Text>;
	if (lookup.kind === 'failed') {
		const {what, why} = lookup.problem;
		return <Text tone="bad">{` labels: ${what}: ${why}`}</Text>;
	}
	return <Text tone="faint"> labels {model.glyphs.ellipsis}</Text>;
}

/** `launched 4 tokens, 0 bonded` */
function recordText(
	{deployer_tokens_count: launched, deployer_migrations_count: bonded}: Entry,
	followed: string,
): string {
	if (launched === undefined && bonded === undefined) return 'launches not reported';
	return `launched ${grouped(launched)} ${launched === 1 ? 'token' : 'tokens'}, ${grouped(bonded)} bonded${followed}`;
}

function fundingText(model: ViewModel, detail: Detail, labels: Labels | undefined): string {
	if (labels === undefined)
		return detail.labels.kind === 'failed' || whyNoLabels(model.state.service)
			? 'funding not known'
			: `funding ${model.glyphs.ellipsis}`;
	if (labels.funding === undefined) return 'funding not reported';
	const {funding} = labels;
	const amount = funding.amount === undefined ? '' : `${compact(funding.amount)} ${funding.currency?.symbol ?? ''} `;
	const from =
		funding.fromTag ??
		funding.fromEntity?.name ??
		(funding.from === undefined ? 'an unknown wallet' : middleEllipsis(funding.from, 13));
	const {nowMs, skewMs} = model.state;
	const ago = funding.date === undefined ? '' : `, ${age(Math.max(nowMs + skewMs - funding.date, 0))} ago`;
	return `funded with ${amount}from ${from}${ago}`;
}
