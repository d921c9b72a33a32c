import type {Row} from '../../terminal/style.ts';
import {isOnlyNew} from '../../trading/check.ts';
import {toned} from '../scene.ts';
import {isTyped, type MoneyDisplay} from './money-part.ts';
import {
	answers,
	checkRows,
	elapsed,
	fact,
	failedRows,
	field,
	heading,
	jsonRows,
	type MoneyLook,
	newContractRows,
	problemRows,
	sentence,
} from './money-rows.ts';
import {contractsOf, type FlowView, type WalletView, type WindowState} from './money-state.ts';

/** The lines of a money window, from top to bottom. */
export function windowRows<Form, View extends FlowView>(
	display: MoneyDisplay<Form, View>,
	window: WindowState<Form, View>,
	wallet: WalletView,
	look: MoneyLook,
): Row[] {
	const {step, view} = window;
	if (step === 'opening') return [];
	if (step === 'no-wallet') return noWalletRows(look);
	if (step === 'unlock') return unlockRows(look, wallet, window.typed.text);
	if (step === 'unavailable') return display.unavailableRows?.(wallet, look) ?? [];
	if (step === 'form') return display.formRows(window, wallet, look);
	if (!view) return [];
	const shown = {...window, view};
	if (step === 'review')
		return window.isRaw && view.plan ? rawRows(display, view, look) : reviewRows(display, view, look);
	if (step === 'accept') return acceptRows(display, shown, look);
	if (step === 'confirm') return confirmRows(display, shown, look);
	return statusRows(display, shown, look);
}

function noWalletRows(look: MoneyLook): Row[] {
	return [
		...sentence(look, 'text', 'There is no wallet for real money here yet.'),
		[],
		...sentence(
			look,
			'dim',
			'In a shell: pulsetop wallet create NAME makes one, pulsetop wallet import NAME takes a key or a key file. Keys are kept encrypted in your data directory.',
		),
	];
}

function unlockRows(look: MoneyLook, {name, address}: WalletView, typed: string): Row[] {
	return [
		...fact(look, 'wallet', `${name ?? ''} ${address ?? ''}`),
		[
			toned(look, 'dim', 'passphrase '),
			toned(look, 'strong', look.signs.dot.repeat(typed.length)),
			{text: ' ', style: {inverse: true}},
		],
		[],
		...sentence(look, 'dim', 'The key is decrypted for signing only, and locked again after a while. Enter unlocks.'),
	];
}

type Shown<Form, View extends FlowView> = WindowState<Form, View> & {readonly view: View};

function rawRows<Form, View extends FlowView>(display: MoneyDisplay<Form, View>, view: View, look: MoneyLook): Row[] {
	return [
		...sentence(look, 'dim', 'Exactly this is signed and sent. Ctrl+R shows the summary.'),
		[],
		...jsonRows(look, display.document(view)),
	];
}

function reviewRows<Form, View extends FlowView>(
	display: MoneyDisplay<Form, View>,
	view: View,
	look: MoneyLook,
): Row[] {
	const {texts} = display;
	const {checks} = view;
	if (checks.length === 0 && texts.unchecked !== undefined) return sentence(look, 'warn', texts.unchecked);
	const isStale = display.isStale?.(view, look.nowMs) ?? false;
	const failed = checks.filter(({ok}) => !ok).length;
	const isNew = isOnlyNew(view);
	const then = isNew
		? texts.firstUse(contractsOf(view).length)
		: display.isReady(view)
			? 'All checks passed. Enter goes on to the confirmation.'
			: texts.failed;
	const title = texts.reviewTitle ? `${texts.reviewTitle(view)}. ` : '';
	const top = isStale ? 'The quote is too old to sign. Enter gets a fresh one.' : `${title}${then}`;
	const count = failed === 0 ? 'all passed' : isNew ? `${failed} to be accepted` : `${failed} failed`;
	return [
		...failedRows(look, view),
		...sentence(look, failed === 0 && !isStale ? 'good' : 'warn', top),
		[],
		...lineRows(display, view, 'review', look),
		[],
		heading(look, `${checks.length} checks, ${count}`),
		...checkRows(look, view),
		...(display.signedRows?.(view, look) ?? []),
		[],
		...sentence(look, 'dim', 'Ctrl+R shows the raw data, Ctrl+O writes it to a file. PgUp and PgDn scroll.'),
	];
}

function lineRows<Form, View extends FlowView>(
	display: MoneyDisplay<Form, View>,
	view: View,
	step: 'review' | 'confirm',
	look: MoneyLook,
): Row[] {
	return display.lines(view, step, look.nowMs).flatMap(({label, text, tone = 'text'}) => fact(look, label, text, tone));
}

function acceptRows<Form, View extends FlowView>(
	{texts}: MoneyDisplay<Form, View>,
	{view, typed}: Shown<Form, View>,
	look: MoneyLook,
): Row[] {
	const [contract] = contractsOf(view);
	if (!contract) return sentence(look, 'text', `${texts.accepted} Enter goes back to the review.`);
	return [
		...sentence(look, 'warn', `First time using ${texts.contract(contract, view)}.`),
		[],
		...newContractRows(look, contract, typed),
	];
}

function confirmRows<Form, View extends FlowView>(
	display: MoneyDisplay<Form, View>,
	window: Shown<Form, View>,
	look: MoneyLook,
): Row[] {
	const {view, typed, answer} = window;
	const wanted = display.wanted?.(view);
	const question = wanted
		? `Type the ${wanted.what}, ${wanted.text}, then choose with Tab. Enter alone cancels.`
		: display.texts.question!;
	return [
		...lineRows(display, view, 'confirm', look),
		[],
		...(display.isStale?.(view, look.nowMs)
			? sentence(look, 'warn', 'The quote is too old to sign: Esc goes back and gets a fresh one.')
			: sentence(look, 'text', question)),
		[],
		...(wanted ? [field(look, wanted.what, typed, true), []] : []),
		answers(look, answer, display.texts.answers, isTyped(display, window)),
	];
}

function statusRows<Form, View extends FlowView>(
	display: MoneyDisplay<Form, View>,
	window: Shown<Form, View>,
	look: MoneyLook,
): Row[] {
	const {view, sentAtMs} = window;
	const status = display.status(window);
	const {title, text, tone, isOpen, endedAtMs = look.nowMs, hint} = status;
	const {live, check, cross} = look.signs;
	const sign = isOpen ? live : tone === 'good' ? check : cross;
	return [
		[
			toned(look, tone === 'info' ? 'accent' : tone, `${sign} ${title}`),
			toned(look, 'dim', `  ${elapsed(sentAtMs, endedAtMs)}`),
		],
		...sentence(look, 'text', text),
		...display.statusRows(window, look),
		...(status.hasProblem ? problemRows(look, view.problem) : []),
		...(display.signedRows?.(view, look) ?? []),
		[],
		...sentence(look, 'dim', hint),
	];
}
