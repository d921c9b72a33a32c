import type {ReactNode} from 'react';
import {isOnlyNew} from '../../trading/check.ts';
import {PIN_TAIL} from '../../trading/fingerprint.ts';
import type {NewContract as Contract} from '../../trading/pins.ts';
import {Answers} from '../live/answers.tsx';
import {Fact} from '../live/fact.tsx';
import {Field} from '../live/field.tsx';
import {Line, Text, useDisplay} from '../live/lines.tsx';
import {Paragraph} from '../live/paragraph.tsx';
import {Problem} from '../live/problem.tsx';
import {Heading} from '../live/section.tsx';
import {CheckCount, Checks, FailedChecks, failedChecks} from './checks.tsx';
import {JsonLines} from './json-lines.tsx';
import {isTyped, type MoneyDisplay, type MoneyLine} from './money-part.ts';
import type {FlowView, WalletView, WindowState} from './money-state.ts';
import {isStale} from './plan-age.ts';

interface ContentProps<Form, View extends FlowView> {
	readonly display: MoneyDisplay<Form, View>;
	readonly window: WindowState<Form, View>;
	readonly wallet: WalletView;
	/** Local Unix ms. */
	readonly nowMs: number;
}

/** The lines of a money window, from top to bottom. */
export function WindowContent<Form, View extends FlowView>(props: ContentProps<Form, View>): ReactNode {
	const {display, window, wallet, nowMs} = props;
	const {step, view} = window;
	const {FormBody, Unavailable} = display;
	if (step === 'opening') return null;
	if (step === 'no-wallet') return <NoWallet />;
	if (step === 'unlock') return <Unlock wallet={wallet} window={window} proposal={display.texts.proposal} />;
	if (step === 'unavailable') return Unavailable && <Unavailable mode={wallet.mode} />;
	if (step === 'form') return <FormBody window={window} wallet={wallet} />;
	if (!view) return null;
	const shown = {display, window: {...window, view}, nowMs};
	if (step === 'review') return window.shows === 'raw' && view.plan ? <RawBytes {...shown} /> : <Review {...shown} />;
	if (step === 'accept') return <Acceptance {...shown} />;
	if (step === 'confirm') return <Confirmation {...shown} />;
	return <Status {...shown} />;
}

function NoWallet(): ReactNode {
	return (
		<>
			<Paragraph tone="text" text="There is no wallet for real money here yet." />
			<Line />
			<Paragraph
				tone="dim"
				text="In a shell: pulsetop wallet create NAME makes one, pulsetop wallet import NAME takes a key or a key file. Keys are kept encrypted in your data directory."
			/>
		</>
	);
}

interface UnlockProps {
	readonly wallet: WalletView;
	readonly window: Pick<WindowState<unknown, FlowView>, 'typed' | 'resumes'>;
	readonly proposal: string;
}

function Unlock({wallet: {name, address, why}, window: {typed, resumes}, proposal}: UnlockProps): ReactNode {
	const {dot} = useDisplay().glyphs;
	const because = why === undefined ? '' : `: ${why}`;
	const then =
		resumes === 'review'
			? ` Once it is unlocked, a fresh ${proposal} is asked for and everything is checked again.`
			: '';
	return (
		<>
			{resumes && (
				<>
					<Paragraph tone="warn" text={`The wallet has locked itself${because}. Nothing was sent.${then}`} />
					<Line />
				</>
			)}
			<Fact label="wallet">{`${name ?? ''} ${address ?? ''}`}</Fact>
			<Line>
				<Text tone="dim">passphrase </Text>
				<Text tone="strong">{dot.repeat(typed.text.length)}</Text>
				<Text style={{inverse: true}}> </Text>
			</Line>
			<Line />
			<Paragraph
				tone="dim"
				text="The key is decrypted for signing only, and locked again after a while. Enter unlocks."
			/>
		</>
	);
}

interface ShownProps<Form, View extends FlowView> extends Omit<ContentProps<Form, View>, 'window' | 'wallet'> {
	readonly window: WindowState<Form, View> & {readonly view: View};
}

function RawBytes<Form, View extends FlowView>({display, window: {view}}: ShownProps<Form, View>): ReactNode {
	return (
		<>
			<Paragraph tone="dim" text="Exactly this is signed and sent. Ctrl+R shows the summary." />
			<Line />
			<JsonLines value={display.document(view)} />
		</>
	);
}

/** The facts that decide, then the checks in a few words; or, as details, every fact and every check. */
function Review<Form, View extends FlowView>({display, window, nowMs}: ShownProps<Form, View>): ReactNode {
	const {texts, details, Signed} = display;
	const {view, shows} = window;
	const {checks} = view;
	if (checks.length === 0 && texts.unchecked !== undefined) return <Paragraph tone="warn" text={texts.unchecked} />;
	const isOld = isStale(display, view, nowMs, 'review');
	const isReady = display.isReady(view) && !isOld;
	const isWhole = shows === 'details';
	const lines = display
		.lines(view, 'review', nowMs)
		.filter(({label, tone}) => isWhole || tone === 'warn' || !details.has(label));
	const before = texts.sentBefore?.(view);
	const warning = warningOf(display, view, isOld);
	const isHeaded = failedChecks(view).length > 0 || before !== undefined || warning !== undefined;
	return (
		<>
			<FailedChecks view={view} next={texts.failed} />
			{before !== undefined && <Paragraph tone="warn" text={`${before}.`} />}
			{warning !== undefined && <Paragraph tone="warn" text={warning} />}
			{isHeaded && <Line />}
			<ReviewLines lines={lines} />
			<Line />
			{isWhole ? (
				<>
					<Heading title={`${checks.length} checks`} />
					<Checks view={view} />
				</>
			) : (
				<CheckCount checks={checks} isReady={isReady} untried={texts.untried?.(view)} />
			)}
			{Signed && <Signed view={view} />}
		</>
	);
}

/** Why the plan can't be confirmed as it is, where no failed check says so; undefined where it can. */
function warningOf<Form, View extends FlowView>(
	{texts, isReady}: MoneyDisplay<Form, View>,
	view: View,
	isOld: boolean,
): string | undefined {
	if (isOld) return `The ${texts.proposal} is too old to sign. Enter gets a fresh one.`;
	if (isOnlyNew(view)) return texts.firstUse(view.toAccept.length);
	return failedChecks(view).length > 0 || isReady(view) ? undefined : texts.failed;
}

function ReviewLines({lines}: {readonly lines: readonly MoneyLine[]}): ReactNode {
	return lines.map(({label, text, tone = 'text'}, at) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
		<Fact key={at} label={label} tone={tone}>
			{text}
		</Fact>
	));
}

function Acceptance<Form, View extends FlowView>({
	display: {texts},
	window: {view, typed},
}: ShownProps<Form, View>): ReactNode {
	const [contract] = view.toAccept;
	if (!contract) return <Paragraph tone="text" text={`${texts.accepted} Enter goes back to the review.`} />;
	return (
		<>
			<Paragraph tone="warn" text={`First time using ${texts.contract(contract, view)}.`} />
			<Line />
			<NewContract contract={contract} />
			<Field label="ends with" edit={typed} isActive />
		</>
	);
}

/** A contract that is to be accepted: its address, its code, and how it is accepted. */
function NewContract({contract: {why, address, code, fingerprint}}: {readonly contract: Contract}): ReactNode {
	return (
		<>
			{why !== undefined && (
				<>
					<Paragraph tone="warn" text={`It is asked for: ${why}.`} />
					<Line />
				</>
			)}
			<Fact label="address" tone="strong">
				{address}
			</Fact>
			<Fact label="code">{code}</Fact>
			<Fact label="fingerprint" tone="strong">
				{fingerprint}
			</Fact>
			<Line />
			<Paragraph
				tone="text"
				text={`The fingerprint is made here, of the code on your node and the address: compare it with what others see. It is remembered, and other code is refused from then on. Type its last ${PIN_TAIL} characters to accept it:`}
			/>
			<Line />
		</>
	);
}

function Confirmation<Form, View extends FlowView>({display, window, nowMs}: ShownProps<Form, View>): ReactNode {
	const {view, typed, answer} = window;
	const {texts} = display;
	const expected = display.expected?.(view);
	const question = expected
		? `Type the ${expected.what}, ${expected.text}, then choose with Tab. Enter alone cancels.`
		: texts.question!;
	return (
		<>
			<ReviewLines lines={display.lines(view, 'confirm', nowMs)} />
			<Line />
			{isStale(display, view, nowMs, 'confirm') ? (
				<Paragraph
					tone="warn"
					text={`The ${texts.proposal} is too old to sign: Esc goes back, Enter there gets a fresh one.`}
				/>
			) : (
				<Paragraph tone="text" text={question} />
			)}
			<Line />
			{expected && (
				<>
					<Field label={expected.what} edit={typed} isActive />
					<Line />
				</>
			)}
			<Answers answer={answer} {...texts.answers} isPossible={isTyped(display, window)} />
		</>
	);
}

function Status<Form, View extends FlowView>({display, window, nowMs}: ShownProps<Form, View>): ReactNode {
	const {live, check, cross} = useDisplay().glyphs;
	const {view, sentAtMs} = window;
	const {StatusFacts, Signed} = display;
	const {title, text, tone, isOpen, endedAtMs = nowMs, hint, hasProblem} = display.status(window);
	const glyph = isOpen ? live : tone === 'good' ? check : cross;
	return (
		<>
			<Line>
				<Text tone={tone === 'info' ? 'accent' : tone}>{`${glyph} ${title}`}</Text>
				<Text tone="dim">{`  ${elapsed(sentAtMs, endedAtMs)}`}</Text>
			</Line>
			<Paragraph tone="text" text={text} />
			<FailedChecks view={view} />
			<StatusFacts window={window} nowMs={nowMs} />
			{hasProblem && view.problem && <Problem problem={view.problem} />}
			{Signed && <Signed view={view} />}
			<Line />
			<Paragraph tone="dim" text={hint} />
		</>
	);
}

/** How long something has been going on: `12 s`, `3 min 5 s`. */
function elapsed(sinceMs: number | undefined, nowMs: number): string {
	const s = sinceMs === undefined ? 0 : Math.max(Math.floor((nowMs - sinceMs) / 1000), 0);
	return s < 60 ? `${s} s` : `${Math.floor(s / 60)} min ${s % 60} s`;
}
