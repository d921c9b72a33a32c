import type {ReactNode} from 'react';
import type {ModeKind} from '../../monitor/mode.ts';
import {topMode} from '../../monitor/state.ts';
import {cellWidth, truncate} from '../../text.ts';
import {tourRowsOf} from '../features/tour/tour-rows.ts';
import {FromSpans, Line, measured, spansOf, Text, useWidth} from '../live/lines.tsx';
import {Spread} from '../live/spread.tsx';
import {cutSpans, type ViewModel} from '../view-model.ts';
import {fittingHints, type Hint, noticeRowsOf, noticeText} from './hints.ts';
import {Prompt} from './prompts.tsx';
import {TourLine} from './tour-line.tsx';

interface FooterProps {
	readonly model: ViewModel;
}

/** The lines at the bottom of the screen: the step of the tour or the line that is typed, then the keys of the moment and the notice. */
export function Footer({model}: FooterProps): ReactNode {
	const width = useWidth();
	const hasRowOfItsOwn = noticeRowsOf(model.state, width, model.glyphs.subscripts === '') === 1;
	return (
		<>
			{hasRowOfItsOwn && (
				<Line>
					{' '}
					<Notice model={model} room={width - 1} />
				</Line>
			)}
			{tourRowsOf(model.state) === 1 ? (
				<TourLine model={model} />
			) : (
				<Prompt model={model} mode={topMode(model.state)} />
			)}
			<Hints model={model} hasNotice={!hasRowOfItsOwn} />
		</>
	);
}

/**
 * The keys that can be pressed now, the most useful first, as many as fit. A notice that fits beside all of them stands at
 * the right for a while. Below a typed line hints give way to a notice, except those of the exits and the help.
 */
function Hints({model, hasNotice}: FooterProps & {readonly hasNotice: boolean}): ReactNode {
	const width = useWidth();
	const {state, glyphs} = model;
	const ascii = glyphs.subscripts === '';
	const said = hasNotice ? cellWidth(noticeText(state, ascii)) : 0;
	const before = state.count === '' ? '' : ` ${state.count} `;
	let right: ReactNode;
	const besides = (left: number): number => {
		const made = measured(
			said > 0 ? <Notice model={model} room={left} /> : <LatestPromotion model={model} />,
			model,
			width,
		);
		right = made.part;
		return made.width;
	};
	const room = width - cellWidth(before) - 1;
	const hints = fittingHints(state, ascii, {room, said: said === 0 ? 0 : said + 1, besides});
	const left = (
		<>
			{before !== '' && <Text tone="warn">{before}</Text>}
			{hints.map(hint => (
				<KeyHint key={hint.id} hint={hint} />
			))}
		</>
	);
	return (
		<Line>
			<Spread left={left}>{right}</Spread>
		</Line>
	);
}

/** A key with a word for its action. */
function KeyHint({hint: {key, label}}: {readonly hint: Hint}): ReactNode {
	return (
		<>
			<Text> </Text>
			<Text tone="key">{key}</Text>
			<Text tone="dim"> {label !== '' && `${label} `}</Text>
		</>
	);
}

const NOTICE_TONES = {info: 'text', good: 'good', warn: 'warn', bad: 'bad'} as const;

/** The notice of the last action or problem, in at most `room` cells. */
function Notice({model, room}: FooterProps & {readonly room: number}): ReactNode {
	const {state, glyphs} = model;
	const text = noticeText(state, glyphs.subscripts === '');
	if (text === '') return null;
	const said = spansOf(<Text tone={NOTICE_TONES[state.notice!.tone]}>{text} </Text>, model, room);
	return <FromSpans spans={cutSpans(said, Math.max(room, 0))} />;
}

/** A narrower screen has no room for promotions beside the keys. */
const PROMOTIONS_FROM_WIDTH = 70;
/** Modes that show promotions: in windows and menus, above all those that move money, they would distract. */
const PROMOTION_MODES: readonly ModeKind[] = ['list', 'detail', 'rewind'];

/** The newest promotion to another column, shown for a minute. It takes the place of the last hints. */
function LatestPromotion({model}: FooterProps): ReactNode {
	const width = useWidth();
	const {state, glyphs, isStill} = model;
	const promotion = state.promotions[0];
	if (!promotion || width < PROMOTIONS_FROM_WIDTH || !PROMOTION_MODES.includes(topMode(state).kind)) return null;
	const ageS = Math.max(Math.floor((state.nowMs - promotion.atMs) / 1000), 0);
	const {symbol, from, to} = promotion;
	return (
		<Text tone="good">
			{`${truncate(symbol, 12)} ${from} ${glyphs.arrow} ${to}`}
			{isStill ? '' : ` ${ageS}s ago`}{' '}
		</Text>
	);
}
