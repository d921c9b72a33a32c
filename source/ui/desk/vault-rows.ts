import type {Row} from '../../terminal/style.ts';
import {clean} from '../../text.ts';
import {chainName, coinOf} from '../../trading/chains.ts';
import {isOnlyNew} from '../../trading/check.ts';
import {formatUnits} from '../../trading/decimal.ts';
import {PIN_TAIL} from '../../trading/pins.ts';
import {transactionOf, VAULT_ACTIONS} from '../../trading/prediction/checks.ts';
import {isUnderWay} from '../../trading/prediction/machine.ts';
import {ACTION_WORDS, vaultWords, wantedText} from '../../trading/prediction/words.ts';
import {toned} from '../scene.ts';
import {noWallet, unlock} from './bridge-rows.ts';
import type {VaultDesk, WalletView} from './desk-state.ts';
import {
	answers,
	checkRows,
	choice,
	elapsed,
	fact,
	failedRows,
	field,
	heading,
	jsonRows,
	type MoneyLook,
	problemRows,
	sentence,
} from './money-rows.ts';
import {hasAmount, isVaultTyped} from './vault-desk.ts';

/** The lines of the window on the smart account of prediction markets. */
export function vaultRows(desk: VaultDesk, wallet: WalletView, look: MoneyLook): Row[] {
	switch (desk.step) {
		case 'opening':
			return [];
		case 'no-wallet':
			return noWallet(look);
		case 'unlock':
			return unlock(look, wallet, desk.typed.text);
		case 'unavailable':
			return unavailable(wallet, look);
		case 'form':
			return formRows(desk, look);
		case 'review':
			return desk.isRaw && desk.view?.plan ? rawRows(desk, look) : reviewRows(desk, look);
		case 'accept':
			return acceptRows(desk, look);
		case 'confirm':
			return confirmRows(desk, look);
		case 'status':
			return statusRows(desk, look);
	}
}

function unavailable({mode}: WalletView, look: MoneyLook): Row[] {
	return mode === 'practice'
		? [
				...sentence(look, 'warn', 'The embedded Polygon chain does not run here, so there is no account to work with.'),
				[],
				...sentence(look, 'dim', 'pulsetop doctor says what is missing. Watching markets needs no chain.'),
			]
		: [
				...sentence(look, 'warn', 'Accounts can be worked with on practice money only.'),
				[],
				...sentence(
					look,
					'text',
					'Where an account stands must be derived here and not believed, and a transaction to another address would lose the money. For that the code of the accounts has to be known: that of the practice chain is, that of a hosted service is not published.',
				),
			];
}

function accountRows(view: VaultDesk['view'], look: MoneyLook): Row[] {
	const facts = view?.facts;
	if (!facts) return [];
	const {place} = view;
	const money = (raw: bigint) => `${formatUnits(raw, place.decimals)} ${place.symbol}`;
	return [
		...fact(
			look,
			'wallet',
			`${facts.owner}, ${money(facts.walletRaw)}, ${formatUnits(facts.coinsRaw, 18)} ${coinOf(place.chainId)} for gas`,
		),
		...fact(look, 'account', `${facts.account}, ${facts.isDeployed ? money(facts.accountRaw) : 'does not exist yet'}`),
	];
}

function formRows(desk: VaultDesk, look: MoneyLook): Row[] {
	const action = VAULT_ACTIONS[desk.action]!;
	const facts = desk.view?.facts;
	const why =
		facts === undefined
			? ''
			: action === 'deploy' && facts.isDeployed
				? 'The account exists already.'
				: action === 'withdraw' && !facts.isDeployed
					? 'The account does not exist yet: make it first.'
					: '';
	return [
		...accountRows(desk.view, look),
		[],
		choice(look, 'do', [ACTION_WORDS[action]], desk.field === 'action'),
		...(!hasAmount(desk)
			? []
			: [
					field(
						look,
						'amount',
						desk.amount,
						desk.field === 'amount',
						`0.01 to 1000000000 ${desk.view?.place.symbol ?? ''}`,
					),
				]),
		...(why === '' ? [] : [[], ...sentence(look, 'warn', why)]),
		[],
		...sentence(
			look,
			'dim',
			`The arrow keys choose${hasAmount(desk) ? ', Tab goes to the amount' : ''}. Enter asks the service for a proposal; nothing is signed by that.`,
		),
	];
}

function rawRows({view}: VaultDesk, look: MoneyLook): Row[] {
	const plan = view!.plan!;
	const {gas, fees, facts} = plan;
	const transaction = transactionOf(plan);
	return [
		...sentence(look, 'dim', 'Exactly this is signed and sent. Ctrl+R goes back.'),
		[],
		...jsonRows(look, {
			...('domain' in plan.proposal && {typedData: plan.proposal}),
			transaction: {
				...(transaction ?? {to: plan.place.factory, calldata: 'follows from the signature'}),
				value: '0',
				nonce: facts.nonce,
				gas,
				...fees,
			},
		}),
	];
}

function reviewRows({view}: VaultDesk, look: MoneyLook): Row[] {
	if (!view) return [];
	const failed = view.checks.filter(check => !check.ok).length;
	const onlyNew = isOnlyNew(view);
	const then = onlyNew
		? 'The factory of the accounts is met here for the first time. Enter shows it, to be accepted or not.'
		: failed === 0
			? 'All checks passed. Enter goes on to the confirmation.'
			: `${failed} ${failed === 1 ? 'check has' : 'checks have'} failed: nothing can be signed. Enter asks anew, Esc goes back.`;
	return [
		...failedRows(look, view),
		...view.lines.flatMap(({label, text}) =>
			fact(look, label, text, label === 'leaves' || label === 'makes' ? 'strong' : 'text'),
		),
		[],
		heading(
			look,
			`${view.checks.length} checks, ${failed === 0 ? 'all passed' : onlyNew ? '1 to be accepted' : `${failed} failed`}`,
		),
		...checkRows(look, view),
		[],
		...sentence(look, failed === 0 ? 'good' : 'warn', then),
		...sentence(look, 'dim', 'Ctrl+R shows the bytes. PgUp and PgDn scroll.'),
		...problemRows(look, view.problem),
	];
}

function acceptRows({view, typed}: VaultDesk, look: MoneyLook): Row[] {
	const contract = view?.toAccept;
	if (!contract) return sentence(look, 'text', 'The contract is accepted. Enter goes back to the review.');
	return [
		...sentence(
			look,
			'warn',
			`The factory of accounts on ${chainName(contract.chainId)} is met here for the first time.`,
		),
		[],
		...fact(look, 'address', contract.address, 'strong'),
		[],
		...sentence(
			look,
			'text',
			`It is remembered, and another one is refused from then on. Type its last ${PIN_TAIL} characters to accept it:`,
		),
		[],
		field(look, 'ends with', typed, true),
	];
}

function confirmRows(desk: VaultDesk, look: MoneyLook): Row[] {
	const {view, typed, answer} = desk;
	if (!view?.plan) return [];
	const what = view.plan.amountRaw === undefined ? 'the word' : 'the amount';
	return [
		...view.lines.flatMap(({label, text}) =>
			fact(look, label, text, label === 'leaves' || label === 'makes' ? 'strong' : 'text'),
		),
		[],
		...sentence(look, 'text', `Type ${what}, ${wantedText(view.plan)}, then choose with Tab. Enter alone goes back.`),
		field(look, what.slice(4), typed, true),
		[],
		answers(look, answer, {sign: 'Sign and send'}, isVaultTyped(desk)),
	];
}

function statusRows({view, sentAtMs}: VaultDesk, look: MoneyLook): Row[] {
	if (!view) return [];
	const {state} = view;
	const words = vaultWords(state);
	const tone = ({info: 'accent', good: 'good', warn: 'warn', bad: 'bad'} as const)[words.tone];
	const goes = isUnderWay(state);
	const sign = goes ? look.signs.live : words.tone === 'good' ? look.signs.check : look.signs.cross;
	return [
		[toned(look, tone, `${sign} ${words.title}`), toned(look, 'dim', `  ${elapsed(sentAtMs, look.nowMs)}`)],
		...sentence(look, 'text', words.text),
		...(view.plan ? [[], ...fact(look, 'did', ACTION_WORDS[view.plan.action])] : []),
		...(state.hash === undefined ? [] : fact(look, 'hash', clean(state.hash))),
		...(state.block === undefined ? [] : fact(look, 'block', String(state.block))),
		...(state.said === undefined ? [] : fact(look, 'said', clean(state.said))),
		...accountRows(view, look),
		...(words.tone === 'good' ? [] : problemRows(look, view.problem)),
		[],
		...sentence(
			look,
			'dim',
			goes ? 'Closing this window changes nothing.' : 'Enter goes back to the account, Esc closes.',
		),
	];
}
