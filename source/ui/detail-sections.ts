import type {Entry, Holder, SecurityFlags} from '../contract/entry.ts';
import type {FieldName} from '../contract/fields.ts';
import {WINDOWS_8, type Window8} from '../contract/windows.ts';
import {RISK_FIELDS, type Risk, riskLevel} from '../monitor/risk.ts';
import type {Detail, Labels} from '../monitor/state.ts';
import type {Row, Span} from '../terminal/style.ts';
import {fitTo, middleEllipsis, padEnd, padStart, truncate} from '../text.ts';
import {chainWord, changeWindow, shortWindow} from './cells.ts';
import {age, change, compact, dateTime, grouped, price, share, usd} from './format.ts';
import {type Scene, spread, toned} from './scene.ts';
import {drawSparkline} from './sparkline.ts';
import type {Tone} from './theme.ts';
import {wrapText} from './wrap-text.ts';

/** All the lines of the detail pane, from top to bottom; the pane shows a part of them. */
export function detailLines(scene: Scene, detail: Detail, width: number): Row[] {
	const sections = [
		identity(scene, detail, width),
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

function heading(scene: Scene, title: string, width: number, note = ''): Row {
	const line = scene.signs.line;
	const text = ` ${title} `;
	const rest = Math.max(width - text.length - note.length - 2, 0);
	return [
		toned(scene, 'rule', line),
		toned(scene, 'accent', text),
		toned(scene, 'rule', line.repeat(rest)),
		toned(scene, 'dim', note === '' ? line : ` ${note}`),
	];
}

/** Groups of four, so that a person can compare an address by eye. */
function inFours(address: string): string {
	const body = address.startsWith('0x') ? address.slice(2) : address;
	const groups = body.match(/.{1,4}/g) ?? [];
	return `${address.startsWith('0x') ? '0x ' : ''}${groups.join(' ')}`;
}

function identity(scene: Scene, {entry, lookup}: Detail, width: number): Row[] {
	const {state} = scene;
	const ageMs = entry.created_at === undefined ? undefined : state.nowMs + state.skewMs - entry.created_at;
	const stage = entry.bonded
		? 'bonded'
		: entry.bonding_percentage === undefined
			? 'unknown stage'
			: `bonding ${share(entry.bonding_percentage)}`;
	const title = spread(
		[toned(scene, 'strong', entry.symbol ?? scene.signs.unknown), toned(scene, 'dim', `  ${entry.name ?? ''}`)],
		[toned(scene, entry.bonded ? 'good' : 'bonding', stage)],
		width,
	);
	const where = [chainWord(entry.chain_id), entry.blockchain, entry.source ?? entry.type, `${age(ageMs)} old`]
		.filter(Boolean)
		.join(` ${scene.signs.dot} `);
	const lines: Row[] = [title, [toned(scene, 'dim', where)]];
	for (const line of wrapText(inFours(entry.address), width)) lines.push([toned(scene, 'text', line)]);
	if (lookup.kind === 'failed')
		lines.push([toned(scene, 'bad', truncate(`${lookup.problem.what}: ${lookup.problem.why}`, width))]);
	return lines;
}

const SPARKLINE_ROWS = 5;

function priceLine(scene: Scene, {entry, sparkline, timeFrame}: Detail, width: number): Row[] {
	const {signs} = scene;
	const subscripts = signs.subscripts;
	const value = sparkline.kind === 'ready' ? sparkline.value : sparkline.kind === 'idle' ? undefined : sparkline.last;
	const moved = entry.price_change_24h;
	const head = heading(scene, `PRICE ${price(entry.latest_price, {subscripts})}`, width, `${timeFrame}  t: other time`);
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

const NARROW_WINDOWS: readonly Window8[] = ['5min', '1h', '6h', '24h'];

function windowsTable(scene: Scene, entry: Entry, width: number): Row[] {
	const label = 9;
	const cell = 6;
	const windows = width >= label + WINDOWS_8.length * cell ? WINDOWS_8 : NARROW_WINDOWS;
	const line = (name: string, value: (w: Window8) => Span): Row => [
		toned(scene, 'dim', fitTo(name, label)),
		...windows.map(value),
	];
	const figures = (name: string, read: (w: Window8) => FieldName, format = compact): Row =>
		line(name, w => {
			const value = entry[read(w)] as number | undefined;
			return toned(scene, value === undefined || value === 0 ? 'faint' : 'text', padStart(format(value), cell));
		});
	return [
		[
			toned(scene, 'accent', fitTo('ACTIVITY', label)),
			...windows.map(w => toned(scene, 'dim', padStart(shortWindow(w), cell))),
		],
		line('change', w => {
			const percent = entry[`price_change_${changeWindow(w)}`];
			if (w === '15min') return toned(scene, 'faint', padStart(scene.signs.unknown, cell));
			const tone = percent === undefined || percent === 0 ? 'faint' : percent > 0 ? 'up' : 'down';
			return toned(scene, tone, padStart(truncate(change(percent), cell), cell));
		}),
		figures('volume $', w => `volume_${w}`),
		figures(' bought', w => `volume_buy_${w}`),
		figures(' sold', w => `volume_sell_${w}`),
		figures('trades', w => `trades_${w}`),
		figures(' buys', w => `buys_${w}`),
		figures(' sells', w => `sells_${w}`),
		figures('traders', w => `traders_${w}`),
		figures(' buyers', w => `buyers_${w}`),
		figures(' sellers', w => `sellers_${w}`),
		figures('fees $', w => `fees_paid_${w}`),
		figures('organic $', w => `organic_volume_${w}`),
		figures(' traders', w => `organic_traders_${w}`),
	];
}

const RISK_NAMES: Readonly<Record<Risk, string>> = {
	dev: 'developer',
	top10: 'top 10',
	snipers: 'snipers',
	insiders: 'insiders',
	bundlers: 'bundlers',
};
const RISK_COUNTS: Readonly<Partial<Record<Risk, FieldName>>> = {
	snipers: 'snipers_count',
	insiders: 'insiders_count',
	bundlers: 'bundlers_count',
};

function holdings(scene: Scene, entry: Entry, width: number): Row[] {
	const {thresholds, signs} = scene;
	const cells: Span[][] = [];
	for (const risk of ['dev', 'top10', 'snipers', 'insiders', 'bundlers'] as const) {
		const percent = entry[RISK_FIELDS[risk]];
		const level = riskLevel(percent, thresholds[risk]);
		const sign = {unknown: '?', ok: ' ', warn: '+', bad: '!'}[level];
		const tone = {unknown: 'faint', ok: 'text', warn: 'warn', bad: 'bad'}[level] as Tone;
		const count = RISK_COUNTS[risk] === undefined ? undefined : (entry[RISK_COUNTS[risk]] as number | undefined);
		cells.push([
			toned(scene, 'dim', padEnd(RISK_NAMES[risk], 11)),
			toned(scene, tone, padStart(share(percent, signs.unknown), 6) + sign),
			toned(scene, 'faint', count === undefined ? '' : ` ${compact(count)} held`),
		]);
	}
	const plain = (name: string, field: FieldName, count?: FieldName): void => {
		const held = count === undefined ? undefined : (entry[count] as number | undefined);
		cells.push([
			toned(scene, 'dim', padEnd(name, 11)),
			toned(scene, 'text', `${padStart(share(entry[field] as number | undefined, signs.unknown), 6)} `),
			toned(scene, 'faint', held === undefined ? '' : ` ${compact(held)} held`),
		]);
	};
	plain('top 50', 'top_50_holdings_percentage');
	plain('top 100', 'top_100_holdings_percentage');
	plain('top 200', 'top_200_holdings_percentage');
	plain('pro', 'pro_traders_holdings_percentage', 'pro_traders_count');
	plain('smart', 'smart_traders_holdings_percentage', 'smart_traders_count');
	plain('fresh', 'fresh_traders_holdings_percentage', 'fresh_traders_count');
	return [
		heading(scene, `HOLDERS ${grouped(entry.holders_count, signs.unknown)}`, width, 'share of supply'),
		...inColumns(scene, cells, width, 28),
	];
}

/** Small cells side by side, read downwards. */
function inColumns(_scene: Scene, cells: readonly (readonly Span[])[], width: number, cellWidth: number): Row[] {
	const across = Math.max(Math.floor(width / cellWidth), 1);
	const down = Math.ceil(cells.length / across);
	return Array.from({length: down}, (_, y) =>
		Array.from({length: across}, (_, x) => cells[x * down + y] ?? []).flatMap((cell, x) => {
			const used = cell.reduce((sum, span) => sum + span.text.length, 0);
			return x === across - 1 ? [...cell] : [...cell, {text: ' '.repeat(Math.max(cellWidth - used, 0))}];
		}),
	);
}

function pairs(scene: Scene, width: number, facts: readonly (readonly [name: string, value: string])[]): Row[] {
	const cells = facts.map(([name, value]) => [toned(scene, 'dim', padEnd(name, 11)), toned(scene, 'text', value)]);
	return inColumns(scene, cells, width, Math.max(Math.floor(width / 2), 28));
}

function market(scene: Scene, entry: Entry, width: number): Row[] {
	const {subscripts} = scene.signs;
	return [
		heading(scene, 'MARKET', width),
		...pairs(scene, width, [
			['market cap', usd(entry.market_cap)],
			['diluted', usd(entry.market_cap_diluted)],
			['liquidity', usd(entry.liquidity)],
			['fees paid', usd(entry.total_fees_paid_usd)],
			['supply', compact(entry.total_supply)],
			['score 1h', compact(entry.trending_score_1h)],
			['all-time hi', price(entry.ath, {subscripts})],
			['all-time lo', price(entry.atl, {subscripts})],
			['created', dateTime(entry.created_at)],
			['bonded', dateTime(entry.bonded_at)],
			['last trade', dateTime(entry.latest_trade_date)],
			['pool type', entry.type ?? scene.signs.unknown],
		]),
	];
}

/** A wallet's label kinds and who it is, in words. */
function labelSpans(scene: Scene, labels: Labels | undefined): Span[] {
	if (labels === undefined) return [];
	const spans: Span[] = [];
	for (const kind of labels.labels) spans.push({text: ' '}, toned(scene, LABEL_TONES[kind] ?? 'accent', kind));
	if (labels.entity?.name !== undefined) spans.push({text: ' '}, toned(scene, 'brand', labels.entity.name));
	return spans;
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

function deployer(scene: Scene, detail: Detail, width: number): Row[] {
	const {entry} = detail;
	if (entry.deployer === undefined) return [heading(scene, 'DEPLOYER', width), [toned(scene, 'dim', 'not reported')]];
	const labels = labelsOf(detail, entry.deployer);
	const lines: Row[] = [
		heading(scene, 'DEPLOYER', width),
		[toned(scene, 'text', middleEllipsis(entry.deployer, Math.min(width, 44))), ...labelSpans(scene, labels)],
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

function topHolders(scene: Scene, detail: Detail, width: number): Row[] {
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
			...labelSpans(scene, labelsOf(detail, holder.address)),
		];
	};
	return [heading(scene, 'TOP HOLDERS', width, 'share, value, profit'), ...holders.slice(0, 15).map(line)];
}

/** What each flag means for a buyer: `true` of the left ones is good, of the others bad. */
const FLAGS: readonly (readonly [flag: keyof SecurityFlags, name: string, goodWhen: boolean])[] = [
	['renounced', 'ownership renounced', true],
	['noMintAuthority', 'no mint authority', true],
	['isHoneypot', 'honeypot', false],
	['isBlacklisted', 'blacklist', false],
	['isWhitelisted', 'whitelist', false],
	['isMintable', 'mintable', false],
	['transferPausable', 'transfers pausable', false],
	['balanceMutable', 'balances mutable', false],
	['isNotOpenSource', 'closed source', false],
	['modifyableTax', 'tax can change', false],
	['selfDestruct', 'self-destruct', false],
];

function securityFlags(scene: Scene, {security, security_score}: Entry, width: number): Row[] {
	const {signs} = scene;
	const score = security_score === undefined ? '' : `score ${Math.round(security_score)}`;
	if (security === undefined)
		return [heading(scene, 'SECURITY', width, score), [toned(scene, 'dim', 'not reported: unknown is not safe')]];
	const cells = FLAGS.map(([flag, name, goodWhen]) => {
		const value = security[flag];
		if (value === undefined) return [toned(scene, 'faint', `? ${name}`)];
		const isGood = value === goodWhen;
		return [
			toned(scene, isGood ? 'good' : 'bad', `${isGood ? signs.check : signs.cross} ${value ? '' : 'no '}${name}`),
		];
	});
	const taxes = (
		[
			['buy tax', security.buyTax],
			['sell tax', security.sellTax],
			['locked', security.locked],
			['burnt', security.burnRate],
		] as const
	).flatMap(([name, value]) =>
		value === undefined ? [] : [[toned(scene, 'dim', `  ${name} `), toned(scene, 'text', value)]],
	);
	return [heading(scene, 'SECURITY', width, score), ...inColumns(scene, [...cells, ...taxes], width, 28)];
}

function links(scene: Scene, entry: Entry, width: number): Row[] {
	const known = [
		['twitter', entry.twitter],
		['website', entry.website],
		['telegram', entry.telegram],
		...Object.entries(entry.otherSocials ?? {}),
	].filter((pair): pair is [string, string] => pair[1] !== undefined);
	const lines: Row[] = known.map(([name, link]) => [
		toned(scene, 'dim', fitTo(name, 11)),
		toned(scene, 'text', truncate(link, width - 11)),
	]);
	if (lines.length === 0) lines.push([toned(scene, 'dim', 'no links given')]);
	const reuses = entry.twitter_reuses_count ?? 0;
	if (reuses > 0) lines.push([toned(scene, 'warn', `this twitter account stands in ${grouped(reuses)} other tokens`)]);
	if (entry.twitterRenames && entry.twitterRenames.length > 0) {
		lines.push([
			toned(scene, 'warn', truncate(`renamed before: ${entry.twitterRenames.map(r => r.username).join(', ')}`, width)),
		]);
	}
	if (entry.live_status !== undefined)
		lines.push([
			toned(scene, 'accent', truncate(`livestream ${entry.live_status} ${entry.livestream_title ?? ''}`, width)),
		]);
	return [heading(scene, 'LINKS', width), ...lines];
}

function about(scene: Scene, {description}: Entry, width: number): Row[] {
	if (description === undefined) return [];
	return [heading(scene, 'ABOUT', width), ...wrapText(description, width).map(line => [toned(scene, 'text', line)])];
}
