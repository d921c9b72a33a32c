import type {Entry} from '../../contract/entry.ts';
import {VIEWS, type ViewName} from '../views.ts';

/** A pinned token: on the watch list, and first in its column even when it does not match the filter. */
export interface Pin {
	/** The column of the pin; a pin in a phase moves with the token when it bonds. */
	readonly view: ViewName;
	/** The symbol when the token was pinned. */
	readonly symbol?: string;
	/** The price in US dollars at that time; undefined when it was not reported. */
	readonly price?: number;
	/** When it was pinned, local Unix ms; undefined for a pin of an earlier version. */
	readonly atMs?: number;
}

/** By the token's key, the newest last. */
export type Pins = ReadonlyMap<string, Pin>;

/** The pin of a token, with its price now. @param nowMs local Unix ms */
export function pinOf({symbol, latest_price: price}: Entry, view: ViewName, nowMs: number): Pin {
	return {view, atMs: nowMs, ...(symbol !== undefined && {symbol}), ...(price !== undefined && {price})};
}

/** The change of the price since the token was pinned, in percent; undefined when one of the two is unknown. */
export function changeSincePin(pin: Pin, price: number | undefined): number | undefined {
	if (pin.price === undefined || pin.price <= 0 || price === undefined) return undefined;
	return (price / pin.price - 1) * 100;
}

/** Pins as lists of text for choices.json, '' for unknown. */
export function pinLines(pins: Pins): readonly (readonly string[])[] {
	return Array.from(pins, ([key, {view, symbol = '', price, atMs}]) => [
		key,
		view,
		symbol,
		price === undefined ? '' : String(price),
		atMs === undefined ? '' : String(atMs),
	]);
}

/** Reads a line of `pinLines`, or a pair of key and column of an earlier version. @returns undefined for any other line */
export function readPinLine(line: unknown): readonly [key: string, pin: Pin] | undefined {
	if (!Array.isArray(line) || !line.every(part => typeof part === 'string')) return undefined;
	const [key, name, symbol = '', price = '', atMs = ''] = line as string[];
	const view = VIEWS.find(known => known === name);
	if (key === undefined || view === undefined) return undefined;
	const [priceThen, pinnedAtMs] = [numberIn(price), numberIn(atMs)];
	return [
		key,
		{
			view,
			...(symbol !== '' && {symbol}),
			...(priceThen !== undefined && {price: priceThen}),
			...(pinnedAtMs !== undefined && {atMs: pinnedAtMs}),
		},
	];
}

function numberIn(text: string): number | undefined {
	const number = Number(text);
	return text !== '' && Number.isFinite(number) && number >= 0 ? number : undefined;
}
