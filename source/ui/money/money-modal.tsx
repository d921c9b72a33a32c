import {type ReactNode, useContext, useEffect, useLayoutEffect, useRef, useState} from 'react';
import type {Store} from '../../store.ts';
import {useScreen} from '../../terminal/screen-context.ts';
import {cellWidth} from '../../text.ts';
import {moreLines} from '../glyphs.ts';
import {Fact} from '../live/fact.tsx';
import {FromRows, Line, linesOf, Text, useDisplay} from '../live/lines.tsx';
import {Paragraph} from '../live/paragraph.tsx';
import {Problem} from '../live/problem.tsx';
import {Modal} from '../modals/modal.tsx';
import {ScreenSize} from '../modals/screen-size.ts';
import {useSelect} from '../use-select.ts';
import {drawnName, type FlowView, type MoneyKind, type MoneyState, SIGHT_MS, type WindowState} from './money-state.ts';
import type {PlanTitle} from './plan-age.ts';

export interface MoneyModalProps {
	readonly kind: MoneyKind;
	/** Titles, the longest first: the first title that fits in the title line is shown. */
	readonly titles: readonly string[];
	/** Lines that stand below the title in every step. */
	readonly head?: ReactNode;
	readonly source: MoneySource;
	/** Local Unix ms. */
	readonly nowMs: number;
}

/** Props of the window of a flow. */
export type FlowModalProps = Pick<MoneyModalProps, 'source' | 'nowMs'>;

/** State and callbacks of the money windows. */
export interface MoneySource {
	readonly money: Store<MoneyState>;
	/** The lines inside; undefined until trading is loaded. */
	readonly content: () => ((kind: MoneyKind, nowMs: number) => ReactNode) | undefined;
	/** The age of what is reviewed or confirmed; undefined in other steps. */
	readonly age?: (kind: MoneyKind) => PlanTitle | undefined;
	/** Called with the visible lines, once they have been drawn. */
	readonly onDrawn: (what: string) => void;
	/** Called with how far the lines can be scrolled, whenever that changes. */
	readonly onReach: (lines: number) => void;
	/** Scrolls to a line. */
	readonly onReveal: (kind: MoneyKind, line: number) => void;
	/** Called each second while a money window is open. */
	readonly onTick?: (kind: MoneyKind) => void;
}

/** Least number of lines inside, where the screen allows it: most forms fit, so that the window keeps its height while it is busy. */
const MIN_LINES = 10;

/** From this height of the screen on, a blank line stands below the lines that name the token. */
const ROOMY_ROWS = 30;

/** The window of a money flow: as tall as what it shows, up to the whole screen, so that nothing that is signed is out of sight. */
export function MoneyModal({kind, titles, head: traded, source, nowMs}: MoneyModalProps): ReactNode {
	const display = useDisplay();
	const {theme, glyphs} = display;
	const screen = useContext(ScreenSize);
	const {money, onDrawn, onReach, onReveal, onTick} = source;
	const state = useSelect(money, selectAll);
	const open = state[kind];
	const width = Math.min(screen.columns - 2, 100);
	const draw = (node: ReactNode) => linesOf(node, display, width - 4);
	const head = draw(
		<>
			{traded}
			{traded && screen.rows >= ROOMY_ROWS && <Line />}
		</>,
	);
	const inner = {width: width - 4, height: screen.rows - 5 - head.length};
	const content = source.content();
	const body = draw(content ? content(kind, nowMs) : <Paragraph tone="dim" text="Loading" />);
	const lines = open ? [...body, ...draw(<Foot {...open} />)] : body;
	const most = Math.max(lines.length - inner.height, 0);
	const top = Math.min(open?.scroll ?? 0, most);
	const shown = lines.slice(top, top + inner.height);
	const height = Math.min(Math.max(lines.length, MIN_LINES), inner.height) + head.length + 3;
	const what = drawnName(kind, open);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the time is what it is called for
	useEffect(() => onTick?.(kind), [nowMs, kind, onTick]);
	// A layout effect: what depends on the height of the window is drawn in the same frame.
	useLayoutEffect(() => onReach(most), [onReach, most]);
	// The result of a key is scrolled into view, however small the window is.
	const news = open?.problem ?? open?.busy ?? open?.writtenTo;
	const behind = useRef(0);
	behind.current = Math.min(body.length + 1, most);
	useLayoutEffect(() => {
		if (news !== undefined) onReveal(kind, behind.current);
	}, [news, kind, onReveal]);
	// So is the marked line of a form, whenever another one is marked.
	const marked = open?.step === 'form' ? body.findIndex(([first]) => first?.text.startsWith(glyphs.cursor)) : -1;
	const places = useRef({top, wanted: top});
	places.current = {top, wanted: Math.max(Math.min(top, marked), marked - inner.height + 1)};
	useLayoutEffect(() => {
		const {top, wanted} = places.current;
		if (marked >= 0 && wanted !== top) onReveal(kind, wanted);
	}, [marked, kind, onReveal]);
	const live = useScreen();
	const [seen, setSeen] = useState('');
	useEffect(() => {
		let isStill = true;
		let timer: NodeJS.Timeout | undefined;
		// On a slow line a frame is seen later than it is drawn: a step counts as seen once the terminal has it.
		void (live?.shown() ?? Promise.resolve()).then(() => {
			if (!isStill) return;
			onDrawn(what);
			timer = setTimeout(setSeen, SIGHT_MS, what);
		});
		return () => {
			isStill = false;
			clearTimeout(timer);
		};
	}, [live, what, onDrawn]);

	const mode = state.wallet.mode === 'practice' ? ' PRACTICE MONEY ' : ' REAL MONEY ';
	const rest = most - top;
	const more = [` ${moreLines(glyphs, rest)}: PgDn`, ` ${glyphs.more} ${rest}: PgDn`];
	const fits = more.find(text => cellWidth(mode) + cellWidth(text) + 2 <= inner.width);
	const below = rest > 0 ? (fits ?? more[1]!) : '';
	// Keys count once this mark has disappeared.
	const wait = seen === what ? '' : ` ${glyphs.ellipsis}`;
	const age = source.age?.(kind);
	const free = inner.width - cellWidth(mode) - cellWidth(below) - 2;
	// On the narrowest screens the review alone says that a plan is too old.
	const aged = age === undefined || cellWidth(age.text) + 2 > free ? '' : `  ${age.text}`;
	const room = free - cellWidth(aged);
	const name = titles.map(title => ` ${title}`).find(title => cellWidth(title) <= room) ?? '';
	const title = (
		<>
			<Text tone={state.wallet.mode === 'practice' ? 'badge' : 'badgeBad'}>{mode}</Text>
			<Text tone="brand">{name}</Text>
			<Text tone="warn">{below}</Text>
			<Text tone="dim">{wait}</Text>
			{' '.repeat(Math.max(room - cellWidth(name) + 2 - cellWidth(wait), 0))}
			<Text tone={age?.isStale ? 'warn' : 'dim'}>{aged}</Text>
		</>
	);
	return (
		<Modal
			title={title}
			width={width}
			height={height}
			top={1}
			border="double"
			borderColor={(state.wallet.mode === 'practice' ? theme.tones.warn : theme.tones.down).color ?? theme.modal.border}
		>
			<FromRows rows={[...head, ...shown]} />
		</Modal>
	);
}

/** The lines below everything else: the problem of the last key, the written file, the work under way. */
function Foot({
	problem,
	busy,
	writtenTo,
}: Pick<WindowState<unknown, FlowView>, 'problem' | 'busy' | 'writtenTo'>): ReactNode {
	const {waiting, ellipsis} = useDisplay().glyphs;
	return (
		<>
			{problem && <Problem problem={problem} />}
			{writtenTo !== undefined && (
				<>
					<Line />
					<Fact label="written to" tone="good">{`${writtenTo} (unsigned, private: 0600)`}</Fact>
				</>
			)}
			{busy !== undefined && (
				<>
					<Line />
					<Paragraph tone="warn" text={`${waiting} ${busy} ${ellipsis}`} />
				</>
			)}
		</>
	);
}

const selectAll = (state: MoneyState): MoneyState => state;
