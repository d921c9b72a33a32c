import type {Row} from '../../terminal/style.ts';
import {isOnlyNew} from '../../trading/check.ts';
import {toned} from '../view-model.ts';
import {isTyped, type MoneyDisplay, type MoneyLine} from './money-part.ts';
import {
	answers,
	checkCountRows,
	checkRows,
	elapsed,
	fact,
	failedRows,
	field,
	heading,
	jsonRows,
	type MoneyCanvas,
	newContractRows,
	paragraph,
	problemRows,
} from './money-rows.ts';
import type {FlowView, WalletView, WindowState} from './money-state.ts';
import {isStale} from './plan-age.ts';

/** The lines of a money window, from top to bottom. */
export function windowRows<Form, View extends FlowView>(
	display: MoneyDisplay<Form, View>,
	window: WindowState<Form, View>,
	wallet: WalletView,
	canvas: MoneyCanvas,
): Row[] {
	const {step, view} = window;
	if (step === 'opening') return [];
	if (step === 'no-wallet') return noWalletRows(canvas);
	if (step === 'unlock') return unlockRows(canvas, wallet, window, display.texts.proposal);
	if (step === 'unavailable') return display.unavailableRows?.(wallet, canvas) ?? [];
	if (step === 'form') return display.formRows(window, wallet, canvas);
	if (!view) return [];
	const shown = {...window, view};
	if (step === 'review')
		return window.shows === 'raw' && view.plan ? rawRows(display, view, canvas) : reviewRows(display, shown, canvas);
	if (step === 'accept') return acceptRows(display, shown, canvas);
	if (step === 'confirm') return confirmRows(display, shown, canvas);
	return statusRows(display, shown, canvas);
}

function noWalletRows(canvas: MoneyCanvas): Row[] {
	return [
		...paragraph(canvas, 'text', 'There is no wallet for real money here yet.'),
		[],
		...paragraph(
			canvas,
			'dim',
			'In a shell: pulsetop wallet create NAME makes one, pulsetop wallet import NAME takes a key or a key file. Keys are kept encrypted in your data directory.',
		),
	];
}

function unlockRows<Form, View extends FlowView>(
	canvas: MoneyCanvas,
	{name, address, why}: WalletView,
	{typed: {text: typed}, resumes}: WindowState<Form, View>,
	proposal: string,
): Row[] {
	return [
		...(resumes
			? [
					...paragraph(
						canvas,
						'warn',
						`The wallet has locked itself${why === undefined ? '' : `: ${why}`}. Nothing was sent.${resumes === 'review' ? ` Once it is unlocked, a fresh ${proposal} is asked for and everything is checked again.` : ''}`,
					),
					[],
				]
			: []),
		...fact(canvas, 'wallet', `${name ?? ''} ${address ?? ''}`),
		[
			toned(canvas, 'dim', 'passphrase '),
			toned(canvas, 'strong', canvas.glyphs.dot.repeat(typed.length)),
			{text: ' ', style: {inverse: true}},
		],
		[],
		...paragraph(
			canvas,
			'dim',
			'The key is decrypted for signing only, and locked again after a while. Enter unlocks.',
		),
	];
}

type Shown<Form, View extends FlowView> = WindowState<Form, View> & {readonly view: View};

function rawRows<Form, View extends FlowView>(
	display: MoneyDisplay<Form, View>,
	view: View,
	canvas: MoneyCanvas,
): Row[] {
	return [
		...paragraph(canvas, 'dim', 'Exactly this is signed and sent. Ctrl+R shows the summary.'),
		[],
		...jsonRows(canvas, display.document(view)),
	];
}

/** The facts that decide, then the checks in a few words; or, as details, every fact and every check. */
function reviewRows<Form, View extends FlowView>(
	display: MoneyDisplay<Form, View>,
	{view, shows}: Shown<Form, View>,
	canvas: MoneyCanvas,
): Row[] {
	const {texts, details} = display;
	const {checks} = view;
	if (checks.length === 0 && texts.unchecked !== undefined) return paragraph(canvas, 'warn', texts.unchecked);
	const isOld = isStale(display, view, canvas.nowMs, 'review');
	const isReady = display.isReady(view) && !isOld;
	const top = topRows(display, view, isOld, canvas);
	const isWhole = shows === 'details';
	const lines = display
		.lines(view, 'review', canvas.nowMs)
		.filter(({label, tone}) => isWhole || tone === 'warn' || !details.has(label));
	return [
		...top,
		...(top.length > 0 ? [[]] : []),
		...factRows(lines, canvas),
		[],
		...(isWhole ? [heading(canvas, `${checks.length} checks`), ...checkRows(canvas, view)] : []),
		...(isWhole ? [] : checkCountRows(canvas, view, {isReady, untried: texts.untried?.(view)})),
		...(display.signedRows?.(view, canvas) ?? []),
	];
}

/** Why the plan can't be confirmed as it is; nothing where it can. */
function topRows<Form, View extends FlowView>(
	display: MoneyDisplay<Form, View>,
	view: View,
	isOld: boolean,
	canvas: MoneyCanvas,
): Row[] {
	const {texts} = display;
	const failed = failedRows(canvas, view, texts.failed);
	const warn = (text: string): Row[] => paragraph(canvas, 'warn', text);
	const before = texts.sentBefore?.(view);
	return [
		...failed,
		...(before === undefined ? [] : warn(`${before}.`)),
		...(isOld
			? warn(`The ${texts.proposal} is too old to sign. Enter gets a fresh one.`)
			: isOnlyNew(view)
				? warn(texts.firstUse(view.toAccept.length))
				: failed.length > 0 || display.isReady(view)
					? []
					: warn(texts.failed)),
	];
}

function factRows(lines: readonly MoneyLine[], canvas: MoneyCanvas): Row[] {
	return lines.flatMap(({label, text, tone = 'text'}) => fact(canvas, label, text, tone));
}

function acceptRows<Form, View extends FlowView>(
	{texts}: MoneyDisplay<Form, View>,
	{view, typed}: Shown<Form, View>,
	canvas: MoneyCanvas,
): Row[] {
	const [contract] = view?.toAccept ?? [];
	if (!contract) return paragraph(canvas, 'text', `${texts.accepted} Enter goes back to the review.`);
	return [
		...paragraph(canvas, 'warn', `First time using ${texts.contract(contract, view)}.`),
		[],
		...newContractRows(canvas, contract, typed),
	];
}

function confirmRows<Form, View extends FlowView>(
	display: MoneyDisplay<Form, View>,
	window: Shown<Form, View>,
	canvas: MoneyCanvas,
): Row[] {
	const {view, typed, answer} = window;
	const expected = display.expected?.(view);
	const question = expected
		? `Type the ${expected.what}, ${expected.text}, then choose with Tab. Enter alone cancels.`
		: display.texts.question!;
	return [
		...factRows(display.lines(view, 'confirm', canvas.nowMs), canvas),
		[],
		...(isStale(display, view, canvas.nowMs, 'confirm')
			? paragraph(
					canvas,
					'warn',
					`The ${display.texts.proposal} is too old to sign: Esc goes back, Enter there gets a fresh one.`,
				)
			: paragraph(canvas, 'text', question)),
		[],
		...(expected ? [field(canvas, expected.what, typed, true), []] : []),
		answers(canvas, answer, display.texts.answers, isTyped(display, window)),
	];
}

function statusRows<Form, View extends FlowView>(
	display: MoneyDisplay<Form, View>,
	window: Shown<Form, View>,
	canvas: MoneyCanvas,
): Row[] {
	const {view, sentAtMs} = window;
	const status = display.status(window);
	const {title, text, tone, isOpen, endedAtMs = canvas.nowMs, hint} = status;
	const {live, check, cross} = canvas.glyphs;
	const glyph = isOpen ? live : tone === 'good' ? check : cross;
	return [
		[
			toned(canvas, tone === 'info' ? 'accent' : tone, `${glyph} ${title}`),
			toned(canvas, 'dim', `  ${elapsed(sentAtMs, endedAtMs)}`),
		],
		...paragraph(canvas, 'text', text),
		...failedRows(canvas, view),
		...display.statusRows(window, canvas),
		...(status.hasProblem ? problemRows(canvas, view.problem) : []),
		...(display.signedRows?.(view, canvas) ?? []),
		[],
		...paragraph(canvas, 'dim', hint),
	];
}
