import type {Row} from '../../terminal/style.ts';
import {cellWidth, clean} from '../../text.ts';
import {chainName, coinOf} from '../../trading/chains.ts';
import {isOnlyNew} from '../../trading/check.ts';
import {formatUnits} from '../../trading/decimal.ts';
import {describeVault} from '../../trading/prediction/describe-state.ts';
import {isUnderWay} from '../../trading/prediction/machine.ts';
import {ACTION_LABELS, confirmationText} from '../../trading/prediction/review-lines.ts';
import {toned} from '../scene.ts';
import {noWallet, unlock} from './bridge-rows.ts';
import type {VaultDesk, WalletView} from './desk-state.ts';
import {AMOUNT_HINT, exactly} from './money-amount.ts';
import {vaultDocument} from './money-document.ts';
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
	LABEL,
	type MoneyLook,
	newContractRows,
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
				...sentence(
					look,
					'warn',
					'The practice chain of Polygon does not run here, so there is no account to work with.',
				),
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
	const money = (raw: bigint) => `${exactly(raw, place.decimals)} ${place.symbol}`;
	return [
		...holder(
			look,
			'wallet',
			facts.owner,
			`${money(facts.walletRaw)}, ${formatUnits(facts.coinsRaw, 18)} ${coinOf(place.chainId)} for gas`,
		),
		...holder(look, 'account', facts.account, facts.isDeployed ? money(facts.accountRaw) : 'does not exist yet'),
	];
}

/** An address and what it has: beside it, or whole on the line below. */
function holder(look: MoneyLook, label: string, address: string, has: string): Row[] {
	const whole = `${address}, ${has}`;
	if (cellWidth(whole) <= look.width - LABEL) return fact(look, label, whole);
	return [...fact(look, label, address), ...fact(look, '', has)];
}

function formRows(desk: VaultDesk, look: MoneyLook): Row[] {
	return [
		...accountRows(desk.view, look),
		[],
		choice(look, 'action', [ACTION_LABELS[desk.action]], desk.field === 'action'),
		...(!hasAmount(desk) ? [] : [field(look, 'amount', desk.amount, desk.field === 'amount', AMOUNT_HINT)]),
		[],
		...sentence(
			look,
			'dim',
			`Arrow keys: choose.${hasAmount(desk) ? ' Tab: amount.' : ''} Enter: get a proposal; nothing is signed yet.`,
		),
	];
}

function rawRows(desk: VaultDesk, look: MoneyLook): Row[] {
	return [
		...sentence(look, 'dim', 'Exactly this is signed and sent. Ctrl+R shows the summary.'),
		[],
		...jsonRows(look, vaultDocument(desk)),
	];
}

function reviewRows({view}: VaultDesk, look: MoneyLook): Row[] {
	if (!view) return [];
	const failed = view.checks.filter(check => !check.ok).length;
	const onlyNew = isOnlyNew(view);
	const then = onlyNew
		? 'First time using the factory of the accounts. Enter shows it, to accept or not.'
		: failed === 0
			? 'All checks passed. Enter goes on to the confirmation.'
			: 'Enter asks again, Esc goes back.';
	return [
		...failedRows(look, view),
		...sentence(look, failed === 0 ? 'good' : 'warn', then),
		[],
		...view.lines.flatMap(({label, text}) =>
			fact(look, label, text, label === 'you send' || label === 'creates' ? 'strong' : 'text'),
		),
		[],
		heading(
			look,
			`${view.checks.length} checks, ${failed === 0 ? 'all passed' : onlyNew ? '1 to be accepted' : `${failed} failed`}`,
		),
		...checkRows(look, view),
		[],
		...sentence(look, 'dim', 'Ctrl+R shows the raw data, Ctrl+O writes it to a file. PgUp and PgDn scroll.'),
		...problemRows(look, view.problem),
	];
}

function acceptRows({view, typed}: VaultDesk, look: MoneyLook): Row[] {
	const contract = view?.toAccept;
	if (!contract) return sentence(look, 'text', 'The contract is accepted. Enter goes back to the review.');
	return [
		...sentence(look, 'warn', `First time using the factory of accounts on ${chainName(contract.chainId)}.`),
		[],
		...newContractRows(look, contract, typed),
	];
}

function confirmRows(desk: VaultDesk, look: MoneyLook): Row[] {
	const {view, typed, answer} = desk;
	if (!view?.plan) return [];
	const what = view.plan.amountRaw === undefined ? 'the word' : 'the amount';
	return [
		...view.lines.flatMap(({label, text}) =>
			fact(look, label, text, label === 'you send' || label === 'creates' ? 'strong' : 'text'),
		),
		[],
		...sentence(
			look,
			'text',
			`Type ${what}, ${confirmationText(view.plan)}, then choose with Tab. Enter alone cancels.`,
		),
		field(look, what.slice(4), typed, true),
		[],
		answers(look, answer, {sign: 'Sign and send'}, isVaultTyped(desk)),
	];
}

function statusRows({view, sentAtMs}: VaultDesk, look: MoneyLook): Row[] {
	if (!view) return [];
	const {state} = view;
	const words = describeVault(state);
	const tone = ({info: 'accent', good: 'good', warn: 'warn', bad: 'bad'} as const)[words.tone];
	const goes = isUnderWay(state);
	const sign = goes ? look.signs.live : words.tone === 'good' ? look.signs.check : look.signs.cross;
	return [
		[toned(look, tone, `${sign} ${words.title}`), toned(look, 'dim', `  ${elapsed(sentAtMs, look.nowMs)}`)],
		...sentence(look, 'text', words.text),
		...(view.plan ? [[], ...fact(look, 'action', ACTION_LABELS[view.plan.action])] : []),
		...(state.hash === undefined ? [] : fact(look, 'hash', clean(state.hash))),
		...(state.block === undefined ? [] : fact(look, 'block', String(state.block))),
		...(state.said === undefined ? [] : fact(look, 'message', clean(state.said))),
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
