import type {Holder} from '../../contract/entry.ts';
import type {Detail, Labels} from '../../monitor/state.ts';
import type {Row, Span} from '../../terminal/style.ts';
import {fitTo, middleEllipsis, padStart, truncate} from '../../text.ts';
import {compact, dateTime, grouped, share, usd} from '../format.ts';
import {type Scene, toned} from '../scene.ts';
import type {Tone} from '../theme.ts';
import {flow, heading} from './blocks.ts';

/** A wallet's label kinds and who it is, in words. */
function labelSpans(scene: Scene, labels: Labels | undefined): Span[] {
	if (labels === undefined) return [];
	const spans = labels.labels.map(kind => toned(scene, LABEL_TONES[kind] ?? 'accent', kind));
	return labels.entity?.name === undefined ? spans : [...spans, toned(scene, 'brand', labels.entity.name)];
}
const LABEL_TONES: Readonly<Record<string, Tone>> = {
	dev: 'warn',
	sniper: 'bad',
	insider: 'bad',
	bundler: 'bad',
	proTrader: 'good',
	smartTrader: 'good',
	freshTrader: 'warn',
	freshTrader30d: 'dim',
	liquidityPool: 'dim',
	locker: 'good',
};

function labelsOf(detail: Detail, address: string): Labels | undefined {
	const {labels} = detail;
	const known = labels.kind === 'ready' ? labels.value : labels.kind === 'idle' ? undefined : labels.last;
	return known?.get(address);
}

/** Who launched it, with wallet labels, record and funding. */
export function deployer(scene: Scene, detail: Detail, width: number): Row[] {
	const {entry} = detail;
	if (entry.deployer === undefined) return [heading(scene, 'DEPLOYER', width), [toned(scene, 'dim', 'not reported')]];
	const labels = labelsOf(detail, entry.deployer);
	const lines: Row[] = [
		heading(scene, 'DEPLOYER', width),
		...flow(
			[toned(scene, 'text', middleEllipsis(entry.deployer, Math.min(width, 44))), ...labelSpans(scene, labels)],
			width,
		),
	];
	lines.push([
		toned(
			scene,
			'dim',
			`launched ${grouped(entry.deployer_tokens_count)}, of them bonded ${grouped(entry.deployer_migrations_count)}`,
		),
	]);
	if (labels?.funding) {
		const {funding} = labels;
		const amount = funding.amount === undefined ? '' : `${compact(funding.amount)} ${funding.currency?.symbol ?? ''} `;
		const from =
			funding.fromTag ??
			funding.fromEntity?.name ??
			(funding.from === undefined ? 'an unknown wallet' : middleEllipsis(funding.from, 13));
		lines.push([
			toned(scene, 'dim', truncate(`funded with ${amount}from ${from} ${dateTime(funding.date, '')}`, width)),
		]);
	}
	if (detail.labels.kind === 'failed')
		lines.push([
			toned(scene, 'bad', truncate(`labels: ${detail.labels.problem.what}. ${detail.labels.problem.why}`, width)),
		]);
	return lines;
}

/** The largest holders with their labels relative to this token. */
export function topHolders(scene: Scene, detail: Detail, width: number): Row[] {
	const holders = detail.entry.holders ?? [];
	if (holders.length === 0) return [];
	const supply = detail.entry.total_supply;
	const line = (holder: Holder): Row => {
		const percent = supply === undefined || supply === 0 ? undefined : (holder.balance / supply) * 100;
		const pnl = holder.realizedPnlUSD + holder.unrealizedPnlUSD;
		return [
			toned(scene, 'text', fitTo(middleEllipsis(holder.address, 13), 14)),
			toned(scene, 'text', padStart(share(percent), 6)),
			toned(scene, 'dim', padStart(usd(holder.balanceUSD), 8)),
			toned(scene, pnl >= 0 ? 'up' : 'down', padStart(`${pnl >= 0 ? '+' : ''}${usd(pnl)}`, 9)),
			...labelSpans(scene, labelsOf(detail, holder.address)).flatMap(span => [{text: ' '}, span]),
		];
	};
	return [heading(scene, 'TOP HOLDERS', width, 'share, value, profit'), ...holders.slice(0, 15).map(line)];
}
