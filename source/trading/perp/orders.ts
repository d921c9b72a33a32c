import {type Dex, indexOfPosition, type PerpPosition, type UnfilledOrder} from '../../contract/perp.ts';
import {dexFromWire, type Provider} from '../../contract/provider.ts';
import {clean} from '../../text.ts';
import type {OrderType} from './transaction.ts';

/** Something that can be cancelled: a waiting order, or a take-profit or stop-loss of an order or a position. */
export interface CancelTarget {
	/** `<listing id>/<order type>`: its identity on screen. */
	readonly key: string;
	readonly dex: Dex;
	readonly chainId: string;
	readonly marketId: string;
	/** The index for cancel-order (spec 4.7). */
	readonly index: string;
	readonly orderType: OrderType;
	/** BUY or SELL; this and the figures only where the listing reports them. */
	readonly side?: string;
	/** LIMIT or STOP for a waiting order, WAITING where the listing does not say; POSITION for an exit of a position. */
	readonly kind: string;
	/** US dollars. */
	readonly sizeUSD?: number;
	readonly leverage?: number;
	/** The price that triggers it. */
	readonly price?: number;
	readonly collateralAsset?: string;
}

/** An order or position that is listed and can't be cancelled here, since its exchange or its number is not known. */
export interface UnreadOrder {
	readonly id: string;
	/** As the service calls it. */
	readonly exchange: string;
	readonly unknown: 'exchange' | 'number';
}

/** What a wallet's two listings hold. */
export interface CancelListing {
	/** The orders and exits that can be cancelled. */
	readonly targets: readonly CancelTarget[];
	readonly unread: readonly UnreadOrder[];
	/** False where a listing was not read to its end: an order that is not here may stand on a later page. */
	readonly isWhole: boolean;
}

/** Reads the listings of waiting orders and of open positions. */
export function readListings(
	unfilled: readonly UnfilledOrder[],
	open: readonly PerpPosition[],
	provider: Provider,
	isWhole = true,
): CancelListing {
	const targets: CancelTarget[] = [];
	const unread: UnreadOrder[] = [];
	const read = (row: PerpPosition, kind: string): void => {
		const {id, exchange} = row;
		const dex = dexFromWire(exchange, provider);
		const index = indexOfPosition(id);
		if (dex === undefined) unread.push({id, exchange, unknown: 'exchange'});
		else if (index === undefined) unread.push({id, exchange, unknown: 'number'});
		else targets.push(...targetsOf(row, kind, {dex, index}));
	};
	for (const order of unfilled) read(order, order.type ?? 'WAITING');
	for (const position of open) read(position, 'POSITION');
	return {targets, unread, isWhole};
}

/** Whether the listings hold the order of a key; undefined where its row can't be read, or may be on a page that was not. */
export function isListed({targets, unread, isWhole}: CancelListing, key: string | undefined): boolean | undefined {
	if (unread.some(({id}) => key?.startsWith(`${id}/`))) return undefined;
	return targets.some(target => target.key === key) || (isWhole ? false : undefined);
}

/** Says which listed orders are not shown, and why; '' where all are. */
export function unreadText(unread: readonly UnreadOrder[]): string {
	const counted = (unknown: UnreadOrder['unknown']): string => {
		const byExchange = Map.groupBy(
			unread.filter(order => order.unknown === unknown),
			({exchange}) => clean(exchange),
		);
		return [...byExchange].map(([exchange, {length}]) => `${length} of ${exchange}`).join(', ');
	};
	const [exchanges, numbers] = [counted('exchange'), counted('number')];
	const texts = [
		exchanges &&
			`Listed and not shown, since the exchange is not known here: ${exchanges}. The settings provider.dex-a and provider.dex-b are the names that the service has for the exchanges.`,
		numbers && `Listed and not shown, since there is no number to cancel by: ${numbers}.`,
	];
	return texts.filter(text => text !== '').join(' ');
}

function targetsOf(row: PerpPosition, kind: string, {dex, index}: Pick<CancelTarget, 'dex' | 'index'>): CancelTarget[] {
	const target = (orderType: OrderType, price: number | null | undefined, own = index): CancelTarget => ({
		key: `${row.id}/${orderType}${own === index ? '' : `/${own}`}`,
		dex,
		chainId: row.chainId,
		marketId: row.marketId,
		index: own,
		orderType,
		kind,
		...optional('side', row.side),
		...optional('sizeUSD', row.amountUSD),
		...optional('leverage', row.currentLeverage),
		...optional('price', price),
		...optional('collateralAsset', row.collateralAsset),
	});
	const waiting = kind === 'POSITION' ? [] : [target('order', row.entryPriceQuote)];
	if (dex === 'dexB') {
		// On dexB a take-profit is a separate order, cancelled by its id. Without an id the cancel would name the main order.
		const own = (list: PerpPosition['tp'], type: OrderType) =>
			(list ?? []).filter(({id}) => String(id) !== index).map(({price, id}) => target(type, price, String(id)));
		return [...waiting, ...own(row.tp, 'tp'), ...own(row.sl, 'sl')];
	}
	const [tp, sl] = [row.tp?.[0], row.sl?.[0]];
	return [...waiting, ...(tp ? [target('tp', tp.price)] : []), ...(sl ? [target('sl', sl.price)] : [])];
}

/** A member only where the listing reports its value. */
function optional<Name extends string, T>(name: Name, value: T | null | undefined): {readonly [N in Name]?: T} {
	return (value === undefined || value === null ? {} : {[name]: value}) as {readonly [N in Name]?: T};
}

/** The names of the order types that close a position. */
export const EXIT_NAMES = {tp: 'take-profit', sl: 'stop-loss'} as const;

/**
 * A target in a few words: `limit order to BUY, 500 USD at 1.25`, or `take-profit that closes the long (SELL), ...`;
 * `?` for a member that the listing leaves out.
 */
export function describeTarget(target: CancelTarget): string {
	const {kind, orderType, side, sizeUSD, price} = target;
	const closes = side === 'BUY' ? 'long' : side === 'SELL' ? 'short' : 'position';
	const what =
		orderType === 'order'
			? `${kind.toLowerCase()} order to ${side ?? '?'}`
			: `${EXIT_NAMES[orderType]} that closes the ${closes} (${sideOf(target) ?? '?'})`;
	return clean(`${what}, ${sizeUSD ?? '?'} USD at ${price ?? '?'}`);
}

/** The side of the exchange's trade: a take-profit or stop-loss does the opposite of the order that it belongs to. */
export function sideOf({orderType, side}: Pick<CancelTarget, 'orderType' | 'side'>): string | undefined {
	if (orderType === 'order') return side;
	return side === 'BUY' ? 'SELL' : side === 'SELL' ? 'BUY' : undefined;
}
