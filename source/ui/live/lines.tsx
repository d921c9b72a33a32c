import {createContext, Fragment, type ProviderProps, type ReactElement, type ReactNode, use} from 'react';
import {RowText, SpanText} from '../../terminal/live-rows.tsx';
import type {Color, Row, Span, Style} from '../../terminal/style.ts';
import type {Display} from '../display.ts';
import {on, type Tone} from '../theme.ts';
import {spansWidth} from '../view-model.ts';

/*
 * One JSX, drawn in two ways. On a terminal the components of a `<Live>` are called as functions, and what they return becomes
 * rows of cells: no commit of React, no layout, ten times as fast. Elsewhere (tests, pipes, screen readers) Ink renders the
 * same components. Therefore they are pure: no state, no effect, and their only hooks are `useDisplay` and `useWidth`.
 */

type Words = string | number | false | null | undefined | readonly Words[];

export interface TextProps {
	/** The meaning of the text; the theme has its look. */
	readonly tone?: Tone | undefined;
	/** The look itself, where it is no tone of the theme. */
	readonly style?: Style | undefined;
	readonly isStruck?: boolean | undefined;
	readonly children?: Words;
}

export interface LineProps {
	/** A background across the whole width. */
	readonly band?: Color | undefined;
	/** Changes the style of each span on the line. */
	readonly restyle?: ((style: Style | undefined) => Style) | undefined;
	/** `<Text>`, plain text, and components that return them. */
	readonly children?: ReactNode;
}

/** Text in one look; a part of a `<Line>`. */
export function Text(props: TextProps): ReactNode {
	return <SpanText span={spanOf(props, useDisplay())} />;
}

/** One row of the screen. A row longer than its region is cut. */
export function Line(props: LineProps): ReactNode {
	const width = useWidth();
	return <RowText row={lineOf(props, useDisplay(), width)} width={width} />;
}

/** Finished rows. */
export function FromRows({rows}: {readonly rows: readonly Row[]}): ReactNode {
	const width = useWidth();
	// biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
	return rows.map((row, at) => <RowText key={at} row={row} width={width} />);
}

/** Finished spans; a part of a `<Line>`. */
export function FromSpans({spans}: {readonly spans: readonly Span[]}): ReactNode {
	// biome-ignore lint/suspicious/noArrayIndexKey: a span is its place
	return spans.map((span, at) => <SpanText key={at} span={span} />);
}

/** The display of components under Ink. */
export const DisplayContext = createContext<Display | undefined>(undefined);
/** The cells of a line: `<Width value={20}>` narrows what is inside. */
export const Width = createContext(0);

interface Drawing {
	readonly display: Display;
	readonly width: number;
	readonly memory: Memory | undefined;
}
/** The drawing under way; undefined under Ink. */
let drawing: Drawing | undefined;

/** Returns the display of the component. @throws Error outside of a `<Live>` and a `DisplayContext` */
export function useDisplay(): Display {
	const display = drawing?.display ?? use(DisplayContext);
	if (display === undefined) throw new Error('this component is drawn by a <Live> only');
	return display;
}

/** Returns the cells of a line of the component. */
export function useWidth(): number {
	return drawing?.width ?? use(Width);
}

/**
 * The rows that components show.
 * @param node `<Line>`, `<FromRows>`, and components that return them
 * @param width cells of a line
 * @throws TypeError for anything else
 */
export function linesOf(node: ReactNode, display: Display, width: number, memory?: Memory): Row[] {
	const lines: Row[] = [];
	within({display, width, memory}, () => addLines(node, lines));
	return lines;
}

/** The spans of a part of a line: `<Text>`, plain text, and components that return them. @param width cells of the line */
export function spansOf(node: ReactNode, display: Display, width: number): Span[] {
	const spans: Span[] = [];
	within({display, width, memory: drawing?.memory}, () => addSpans(node, spans));
	return spans;
}

/** A finished part of a line with its width in cells. */
export interface Measured {
	readonly part: ReactNode;
	readonly width: number;
}

/** Makes a part of a line once, for measuring and drawing. @param width cells of the line */
export function measured(node: ReactNode, display: Display, width: number): Measured {
	const spans = spansOf(node, display, width);
	return {part: <FromSpans spans={spans} />, width: spansWidth(spans)};
}

interface Kept {
	readonly type: unknown;
	readonly props: object;
	readonly width: number;
	readonly lines: readonly Row[];
}
/** Lines by element key: of the previous call, and of the one under way. */
interface Memory {
	readonly before: ReadonlyMap<string, Kept>;
	readonly now: Map<string, Kept>;
}

/**
 * Creates a `linesOf` with a memory: a `memo` component with a key returns the same rows as before until its props or the display
 * change.
 */
export function createLines(): (node: ReactNode, display: Display, width: number) => Row[] {
	let of: Display | undefined;
	let before: Memory['now'] = new Map();
	return (node, display, width) => {
		if (of !== display) before = new Map();
		of = display;
		const now: Memory['now'] = new Map();
		const lines = linesOf(node, display, width, {before, now});
		before = now;
		return lines;
	};
}

function within(inner: Drawing, draw: () => void): void {
	const outer = drawing;
	drawing = inner;
	try {
		draw();
	} finally {
		drawing = outer;
	}
}

type Pure = (props: object) => ReactNode;
const MEMO = Symbol.for('react.memo');

function addLines(node: ReactNode, lines: Row[]): void {
	if (typeof node !== 'object' || node === null) {
		if (node === null || node === undefined || typeof node === 'boolean') return;
		throw new TypeError(`not a row, and no component that gives one: ${String(node)}`);
	}
	if (Array.isArray(node)) {
		for (const child of node) addLines(child, lines);
		return;
	}
	const {type, props, key} = node as ReactElement<object>;
	if (typeof type === 'function') {
		if (type === Line) lines.push(lineOf(props as LineProps, drawing!.display, drawing!.width));
		else if (type === FromRows) lines.push(...(props as Parameters<typeof FromRows>[0]).rows);
		else addLines((type as Pure)(props), lines);
	} else if (type === (Fragment as unknown)) addLines((props as LineProps).children, lines);
	else if (type === (Width as unknown)) {
		const {value: width, children} = props as ProviderProps<number>;
		within({...drawing!, width}, () => addLines(children, lines));
	} else if (isMemo(type)) for (const line of keptLines(type.type, props, key)) lines.push(line);
	else throw notPure(type);
}

function addSpans(node: ReactNode, spans: Span[]): void {
	if (typeof node !== 'object' || node === null) {
		if (typeof node === 'string' || typeof node === 'number') spans.push({text: String(node)});
		return;
	}
	if (Array.isArray(node)) {
		for (const child of node) addSpans(child, spans);
		return;
	}
	const {type, props} = node as ReactElement<object>;
	if (typeof type === 'function') {
		if (type === Text) spans.push(spanOf(props as TextProps, drawing!.display));
		else if (type === FromSpans) spans.push(...(props as Parameters<typeof FromSpans>[0]).spans);
		else addSpans((type as Pure)(props), spans);
	} else if (type === (Fragment as unknown)) addSpans((props as LineProps).children, spans);
	else throw notPure(type);
}

function isMemo(type: unknown): type is {readonly type: Pure} {
	return (type as {readonly $$typeof?: symbol} | null)?.$$typeof === MEMO;
}

function notPure(type: unknown): TypeError {
	return new TypeError(`<${String(type)}> can't be drawn here: only <Line>, <Text> and components of them`);
}

/** The rows of a `memo` component. */
function keptLines(type: Pure, props: object, key: string | null): readonly Row[] {
	const {display, width, memory} = drawing!;
	if (memory === undefined || key === null) return linesOf(type(props), display, width, memory);
	const before = memory.before.get(key);
	const isSame = before?.type === type && before.width === width && isShallowEqual(before.props, props);
	const kept = isSame ? before : (sharedBefore(type, props, drawing!) ?? made(type, props, drawing!));
	memory.now.set(key, kept);
	return kept.lines;
}

function made(type: Pure, props: object, {display, width, memory}: Drawing): Kept {
	const kept = {type, props, width, lines: linesOf(type(props), display, width, memory)};
	const thing = THINGS.get(type)?.(props);
	if (thing === undefined) return kept;
	const others = shared.get(thing) ?? [];
	shared.set(thing, [{...kept, display}, ...others.slice(0, MAX_SHARED - 1)]);
	return kept;
}

/** The subject in the props of each component whose lines screens share. */
const THINGS = new Map<Pure, (props: object) => object>();
/** The lines that were made of a thing, the newest first. */
const shared = new WeakMap<object, readonly (Kept & {readonly display: Display})[]>();
/** A few sizes and windows are looked at by many. */
const MAX_SHARED = 6;

/**
 * Has the screens of a process share the lines of a component: what one has drawn, the next takes with the same props and
 * display.
 * @param thingOf the object that the component is about; its lines are kept as long as the object is
 */
export function sharedLines<Props extends object>(
	component: (props: Props) => ReactNode,
	thingOf: (props: Props) => object,
): (props: Props) => ReactNode {
	THINGS.set(component as Pure, thingOf as (props: object) => object);
	return component;
}

/** Lines of another screen with these props. */
function sharedBefore(type: Pure, props: object, {display, width}: Drawing): Kept | undefined {
	const thing = THINGS.get(type)?.(props);
	const all = thing && shared.get(thing);
	return all?.find(
		one => one.display === display && one.width === width && one.type === type && isShallowEqual(one.props, props),
	);
}

function isShallowEqual(a: object, b: object): boolean {
	if (a === b) return true;
	const [before, now] = [a as Record<string, unknown>, b as Record<string, unknown>];
	let more = 0;
	for (const name in now) {
		if (!Object.is(before[name], now[name])) return false;
		more++;
	}
	for (const _ in before) more--;
	return more === 0;
}

function lineOf({children, restyle, band}: LineProps, display: Display, width: number): Row {
	const spans = spansOf(children, display, width);
	const shown = restyle ? spans.map(({text, style}) => ({text, style: restyle(style)})) : spans;
	if (band === undefined) return shown;
	const missing = width - spansWidth(shown);
	if (missing > 0) shown.push({text: ' '.repeat(missing)});
	return shown.map(({text, style}) => ({text, style: on(display.theme, style, band)}));
}

function spanOf({tone, style, isStruck = false, children}: TextProps, {theme}: Display): Span {
	const text = wordsOf(children);
	const look = style ?? (tone && theme.tones[tone]);
	if (isStruck) return {text, style: struck(look ?? theme.tones.text)};
	return look === undefined ? {text} : {text, style: look};
}

function wordsOf(words: Words): string {
	if (typeof words === 'string') return words;
	if (typeof words === 'number') return String(words);
	return Array.isArray(words) ? words.map(wordsOf).join('') : '';
}

/** Cached, so that equal styles are the same object. */
function struck(style: Style): Style {
	const known = strikes.get(style) ?? {...style, strikethrough: true};
	strikes.set(style, known);
	return known;
}
const strikes = new WeakMap<Style, Style>();
