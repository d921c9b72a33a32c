import type {Entry} from '../../contract/entry.ts';
import {VIEWS, type ViewName} from '../state.ts';

/** A pinned token: on the watch list, and first in its column whatever the filter says. */
export interface Pin {
	/** The column that it is pinned in; from one of a phase it goes with the token when that bonds. */
	readonly view: ViewName;
	/** What it was called when it was pinned. */
	readonly symbol?: string;
	/** Its price in US dollars at that time; undefined when it was not reported. */
	readonly price?: number;
	/** When it was pinned, local Unix ms; undefined for a pin of an earlier version. */
	readonly atMs?: number;
}

/** By the token's key, the newest last. */
export type Pins = ReadonlyMap<string, Pin>;

/** @param nowMs local Unix ms */
export function pinOf({symbol, latest_price: price}: Entry, view: ViewName, nowMs: number): Pin {
	return {view, atMs: nowMs, ...(symbol !== undefined && {symbol}), ...(price !== undefined && {price})};
}

/** How far a price moved since the token was pinned, in percent; undefined while one of the two is not known. */
export function changeSincePin(pin: Pin, price: number | undefined): number | undefined {
	if (pin.price === undefined || pin.price <= 0 || price === undefined) return undefined;
	return (price / pin.price - 1) * 100;
}

/** Pins as they are kept: texts alone, '' for what is not known. */
export function pinLines(pins: Pins): readonly (readonly string[])[] {
	return Array.from(pins, ([key, {view, symbol = '', price, atMs}]) => [
		key,
		view,
		symbol,
		price === undefined ? '' : String(price),
		atMs === undefined ? '' : String(atMs),
	]);
}

/** Reads what `pinLines` made, and the pairs of key and column that earlier versions kept. What is neither is left out. */
export function readPinLines(lines: unknown): Pins {
	const pins = new Map<string, Pin>();
	for (const line of Array.isArray(lines) ? lines : []) {
		if (!Array.isArray(line) || !line.every(part => typeof part === 'string')) continue;
		const [key, name, symbol = '', price = '', atMs = ''] = line as string[];
		const view = VIEWS.find(known => known === name);
		if (key === undefined || view === undefined) continue;
		const [priceThen, pinnedAtMs] = [numberIn(price), numberIn(atMs)];
		pins.set(key, {
			view,
			...(symbol !== '' && {symbol}),
			...(priceThen !== undefined && {price: priceThen}),
			...(pinnedAtMs !== undefined && {atMs: pinnedAtMs}),
		});
	}
	return pins;
}

function numberIn(text: string): number | undefined {
	const number = Number(text);
	return text !== '' && Number.isFinite(number) && number >= 0 ? number : undefined;
}
