import {chainName} from '../../chains/chains.ts';
import {clean} from '../../text.ts';
import {clock, compact, usd} from '../../ui/format.ts';
import type {Delivery} from './receiver.ts';

type Body = Readonly<Record<string, unknown>>;

const MAX_CELLS = 60;

/** The name of an event: its `type`, or `transfer` for a body without one (contract gaps 8). */
export function eventOf(body: unknown): string {
	if (!isBody(body)) return 'unknown';
	if (typeof body['type'] === 'string') return clean(body['type'], {maxCells: 20});
	return isBody(body['data']) ? 'transfer' : 'unknown';
}

/** A delivery as one line of text, cleaned. @param nowMs when it arrived, Unix ms */
export function deliveryLine({body, isRepeat}: Delivery, nowMs: number): string {
	const event = eventOf(body);
	const facts = isBody(body) ? factsOf(event, isBody(body['data']) ? body['data'] : body) : [];
	const parts = [clock(nowMs), event.padEnd(10), ...facts, isRepeat ? '(repeated)' : ''];
	return `${parts.filter(part => part !== '').join('  ')}\n`;
}

function factsOf(event: string, body: Body): readonly string[] {
	const chain = textOf(body, 'chainId');
	const where = chain === '' ? '' : chainName(chain).padEnd(8);
	switch (event) {
		case 'swap':
		case 'swap-enriched':
			return [
				where,
				textOf(body, 'swapType').padEnd(4),
				usd(numberOf(body, 'amountUSD'), '-').padStart(8),
				`${compact(numberOf(body, 'amount0'), '-')} of ${textOf(body, 'addressToken0')}`,
				textOf(body, 'poolType'),
			];
		case 'transfer':
			return [
				where,
				`${compact(numberOf(body, 'amount'), '-')} ${textOf(body, 'tokenSymbol')}`.trim(),
				`${textOf(body, 'from')} to ${textOf(body, 'to')}`,
			];
		case 'launchpad':
			return [
				where,
				textOf(body, 'action'),
				textOf(body, 'symbol'),
				textOf(body, 'name'),
				textOf(body, 'tokenAddress'),
			];
		case 'block':
			return [where, String(numberOf(body, 'blockHeight') ?? ''), textOf(body, 'blockHash')];
		default:
			return [clean(JSON.stringify(body), {maxCells: MAX_CELLS * 2})];
	}
}

function textOf(body: Body, name: string): string {
	const value = body[name];
	return typeof value === 'string' ? clean(value, {maxCells: MAX_CELLS}) : '';
}

function numberOf(body: Body, name: string): number | undefined {
	const value = body[name];
	return typeof value === 'number' ? value : undefined;
}

function isBody(value: unknown): value is Body {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
