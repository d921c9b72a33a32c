import {chainName} from '../../chains/chains.ts';
import {editOf} from '../../monitor/transitions/text-edit.ts';
import {
	PREDICTION_ACTIONS,
	PROPOSAL_FRESH_MS,
	type PredictionAction,
	type PredictionPlace,
	possibleActions,
	transactionOf,
} from '../../trading/prediction/checks.ts';
import {describePrediction} from '../../trading/prediction/describe-state.ts';
import type {PredictionFlow, PredictionView} from '../../trading/prediction/flow.ts';
import {isUnderWay} from '../../trading/prediction/machine.ts';
import {confirmationText} from '../../trading/prediction/review-lines.ts';
import {amountEdited, assertAmount} from './amount.ts';
import type {MoneyPart, Work} from './money-part.ts';
import type {PredictionForm, PredictionWindow} from './money-state.ts';
import {builtAge} from './plan-age.ts';
import {ActionFacts, hasAmount, NoAccounts, PredictionFormBody} from './prediction-view.tsx';

export interface PredictionPartOptions {
	/** The contracts of the accounts; undefined where no supported ones exist. */
	readonly place: () => Promise<PredictionPlace | undefined>;
	readonly flowOf: (place: PredictionPlace) => Promise<PredictionFlow>;
}

const STRONG: ReadonlySet<string> = new Set(['you send', 'creates']);
const DETAILS: ReadonlySet<string> = new Set(['owner', 'simulated', 'contract', 'nonce']);

/** The smart account that trades prediction markets: create it, deposit, withdraw. */
export function predictionPart({
	place,
	flowOf,
}: PredictionPartOptions): MoneyPart<PredictionForm, PredictionView, PredictionFlow> {
	const start = ({form, view}: PredictionWindow, flow: PredictionFlow | undefined): Work<PredictionFlow> | undefined =>
		view &&
		flow && {
			text: 'Asking for a proposal and checking it',
			async run() {
				const typed = form.amount.text.trim();
				const where = form.action === 'withdraw' ? 'in the account' : 'in the wallet';
				if (hasAmount(form)) assertAmount(typed, available(form, view), where);
				await flow.build(form.action, typed);
				return flow;
			},
		};
	return {
		kind: 'predictionAccount',
		emptyForm: {action: 'deploy', amount: editOf(''), field: 'action'},
		reading: 'Reading wallet and account',
		async read(before) {
			let flow = before;
			if (!flow) {
				const found = await place();
				if (!found) return undefined;
				flow = await flowOf(found);
			}
			if (!isUnderWay(flow.view.state)) flow.dismiss();
			const {isDeployed, accountRaw} = await flow.read();
			// The next useful action: create the account, deposit, then withdraw.
			const action = isDeployed ? (accountRaw > 0n ? 'withdraw' : 'deposit') : 'deploy';
			return {flow, form: () => ({action, amount: editOf(''), field: 'action'})};
		},
		formKept(form, view) {
			const actions = offered(view);
			// Another run may have created the account meanwhile.
			return actions.includes(form.action) ? form : {...form, action: actions[0]!, field: 'action'};
		},
		moved: ({form}) => ({...form, field: form.field === 'action' && hasAmount(form) ? 'amount' : 'action'}),
		turned({form, view}, by) {
			const actions = offered(view);
			const at = (actions.indexOf(form.action) + by + actions.length) % actions.length;
			return {...form, action: actions[at]!, field: 'action'};
		},
		edited({form, view}, change) {
			// Text typed on the line above means the amount, where there is one.
			if (!view || !hasAmount(form)) return undefined;
			const {hasRaw, decimals} = available(form, view);
			return {...form, field: 'amount', amount: amountEdited(change(form.amount), hasRaw, decimals)};
		},
		start,
		again: start,
		left: flow => flow.dismiss(),

		age: (view, nowMs) => builtAge(view, nowMs, PROPOSAL_FRESH_MS),
		refresh(window, flow) {
			const work = start(window, flow);
			return work && (async () => void (await work.run()));
		},
		isReviewAgain: ({state}) => state.phase === 'built' || state.phase === 'reviewed',
		isReady: ({state}) => state.phase === 'reviewed',
		accept: (flow, _contract, typed) => flow.accept(typed),
		expected: ({plan}) =>
			plan && {what: plan.amountRaw === undefined ? 'word' : 'amount', text: confirmationText(plan)},
		execute: (flow, typed) => flow.execute(typed),

		isUnderWay: ({state}) => isUnderWay(state),
		next: ({state}) => (isUnderWay(state) ? undefined : 'form'),

		document: documentOf,
		Unavailable: NoAccounts,
		FormBody: PredictionFormBody,
		formHints({form, problem}) {
			return {
				'money.accept': 'get a proposal',
				...(hasAmount(form) && {'form.next': 'next line'}),
				...(form.field === 'action' && {'edit.right': 'other action'}),
				'money.back': problem ? 'back' : 'close',
			};
		},
		details: DETAILS,
		lines: ({lines}) => lines.map(line => (STRONG.has(line.label) ? {...line, tone: 'strong'} : line)),
		texts: {
			proposal: 'proposal',
			firstUse: () => 'First time using the factory of the accounts. Enter shows it, to accept or not.',
			contract: (_contract, {place: {chainId}}) => `the factory of accounts on ${chainName(chainId)}`,
			accepted: 'The contract is accepted.',
			failed: 'Enter asks again, Esc goes back.',
			again: 'ask again',
			answers: {keep: 'Cancel', sign: 'Sign and send'},
			answerHints: {keep: 'cancel', sign: 'sign and send'},
		},
		status({view: {state}}) {
			const description = describePrediction(state);
			const isOpen = isUnderWay(state);
			return {
				...description,
				isOpen,
				hasProblem: description.tone !== 'good',
				hint: isOpen ? 'Closing this window changes nothing.' : 'Enter goes back to the account, Esc closes.',
				...(!isOpen && {accept: 'back to the account'}),
			};
		},
		StatusFacts: ActionFacts,
	};
}

/** The document that an action signs and sends, without a signature. */
function documentOf({plan}: PredictionView): object | undefined {
	if (!plan) return undefined;
	const {signed: _, ...unsigned} = plan;
	const {gas, fees, facts, proposal, place} = unsigned;
	return {
		...('domain' in proposal && {typedData: proposal}),
		transaction: {
			...(transactionOf(unsigned) ?? {
				to: place.factory,
				calldata: 'made from the signature, then checked again',
			}),
			value: '0',
			nonce: facts.nonce,
			gas,
			...fees,
		},
	};
}

/** The actions to choose from: what the account, as it was last read, allows. */
function offered(view: PredictionView | undefined): readonly PredictionAction[] {
	return view?.facts ? possibleActions(view.facts) : PREDICTION_ACTIONS;
}

/** The token that the chosen action moves and how much there is: in the wallet for a deposit, in the account for a withdrawal. */
function available({action}: PredictionForm, {place: {symbol, decimals}, facts}: PredictionView) {
	if (!facts) return {symbol, decimals};
	return {symbol, decimals, hasRaw: action === 'withdraw' ? facts.accountRaw : facts.walletRaw};
}
