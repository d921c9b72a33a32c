import type {ReactNode} from 'react';
import {coinOf} from '../../chains/chains.ts';
import {cellWidth} from '../../text.ts';
import {shortUnits} from '../../trading/decimal.ts';
import type {PredictionView} from '../../trading/prediction/flow.ts';
import {ACTION_LABELS} from '../../trading/prediction/review-lines.ts';
import {Fact, LABEL} from '../live/fact.tsx';
import {Choice, Field} from '../live/field.tsx';
import {Line, useWidth} from '../live/lines.tsx';
import {Paragraph} from '../live/paragraph.tsx';
import {AMOUNT_HINT, exactly} from './amount.ts';
import {KnownFacts} from './known-facts.tsx';
import type {FormBodyProps, StatusFactsProps} from './money-part.ts';
import type {PredictionForm, PredictionWindow, WalletView} from './money-state.ts';

/** Why there are no accounts to work with. */
export function NoAccounts({mode}: Pick<WalletView, 'mode'>): ReactNode {
	if (mode === 'practice') {
		return (
			<>
				<Paragraph
					tone="warn"
					text="The practice chain of Polygon does not run here, so there is no account to work with."
				/>
				<Line />
				<Paragraph tone="dim" text="pulsetop doctor says what is missing. Watching markets needs no chain." />
			</>
		);
	}
	return (
		<>
			<Paragraph tone="warn" text="Accounts can be worked with on practice money only." />
			<Line />
			<Paragraph
				tone="text"
				text="Where an account stands must be derived here and not believed, and a transaction to another address would lose the money. For that the code of the accounts has to be known: that of the practice chain is, that of a hosted service is not published."
			/>
		</>
	);
}

/** Whether the chosen action is about an amount: creating an account is not. */
export function hasAmount({action}: PredictionForm): boolean {
	return action !== 'deploy';
}

/** The account, and what can be done with it. */
export function PredictionFormBody({window: {form, view}}: FormBodyProps<PredictionWindow>): ReactNode {
	const {action, amount, field} = form;
	const isMoved = hasAmount(form);
	return (
		<>
			<Account view={view} />
			<Line />
			<Choice label="action" texts={[ACTION_LABELS[action]]} isActive={field === 'action'} />
			{isMoved && <Field label="amount" edit={amount} isActive={field === 'amount'} hint={AMOUNT_HINT} />}
			<Line />
			<Paragraph
				tone="dim"
				text={`Arrow keys: choose.${isMoved ? ' Tab: amount.' : ''} Enter: get a proposal; nothing is signed yet.`}
			/>
		</>
	);
}

/** The action, where it can be looked up, and the account after it. */
export function ActionFacts({window: {view}}: StatusFactsProps<PredictionWindow>): ReactNode {
	const {plan, state} = view;
	return (
		<>
			{plan && (
				<>
					<Line />
					<Fact label="action">{ACTION_LABELS[plan.action]}</Fact>
				</>
			)}
			<KnownFacts facts={{hash: state.hash, block: state.block?.toString(), message: state.said}} />
			<Account view={view} />
		</>
	);
}

function Account({view}: {readonly view: PredictionView | undefined}): ReactNode {
	if (!view?.facts) return null;
	const {owner, walletRaw, coinsRaw, account, isDeployed, accountRaw} = view.facts;
	const {symbol, decimals, chainId} = view.place;
	const money = (raw: bigint) => `${exactly(raw, decimals)} ${symbol}`;
	const gas = `${shortUnits(coinsRaw, 18)} ${coinOf(chainId)} for gas`;
	return (
		<>
			<Holder label="wallet" address={owner} has={`${money(walletRaw)}, ${gas}`} />
			<Holder label="account" address={account} has={isDeployed ? money(accountRaw) : 'does not exist yet'} />
		</>
	);
}

interface HolderProps {
	readonly label: string;
	readonly address: string;
	readonly has: string;
}

/** An address and what it has: beside it, or whole on the line below. */
function Holder({label, address, has}: HolderProps): ReactNode {
	const whole = `${address}, ${has}`;
	if (cellWidth(whole) <= useWidth() - LABEL) return <Fact label={label}>{whole}</Fact>;
	return (
		<>
			<Fact label={label}>{address}</Fact>
			<Fact label="">{has}</Fact>
		</>
	);
}
