import type {Offers} from '../../monitor/state.ts';
import {isEnd} from '../../trading/bridge/machine.ts';
import {isOnlyNew} from '../../trading/check.ts';
import {isUnderWay as isCancelUnderWay, mayRetry} from '../../trading/perp/machine.ts';
import {isUnderWay as isVaultUnderWay} from '../../trading/prediction/machine.ts';
import {isTyped, isUnsent} from './bridge-desk.ts';
import type {MoneyKind} from './desk.ts';
import type {BridgeDesk, DeskState, PerpDesk, VaultDesk} from './desk-state.ts';
import {hasAmount, isVaultTyped} from './vault-desk.ts';

const CLOSE = {'money.back': 'close'} as const;
const BACK = {'money.back': 'back'} as const;

/** The actions that do something in a window as it stands. */
export function moneyOffers(kind: MoneyKind, state: DeskState): Offers {
	const desk = state[kind];
	if (!desk) return CLOSE;
	const reach = state.reach ?? 0;
	const top = Math.min(desk.scroll, reach);
	return {
		...(desk.busy === undefined
			? stepOffers(kind, state)
			: desk.step === 'confirm' || desk.step === 'accept'
				? BACK
				: CLOSE),
		...(top < reach && {'money.pageDown': 'scroll'}),
		...(top > 0 && {'money.pageUp': 'scroll up'}),
	};
}

function stepOffers(kind: MoneyKind, {bridge, perp, vault, wallet}: DeskState): Offers {
	if (kind === 'bridge') return bridgeOffers(bridge!);
	return kind === 'perp' ? perpOffers(perp!, wallet.mode) : vaultOffers(vault!);
}

function bridgeOffers(desk: BridgeDesk): Offers {
	const {step, form, view, isRaw} = desk;
	switch (step) {
		case 'unlock':
			return {'money.accept': 'unlock', ...CLOSE};
		case 'form': {
			const choices = {from: form.origins, to: form.destinations, amount: [], recipient: []}[form.field];
			if (form.origins.length === 0 || form.destinations.length === 0) return CLOSE;
			return {
				'money.accept': 'get a quote',
				'money.next': 'next line',
				...(choices.length > 1 && {'money.right': 'other token'}),
				...(desk.problem ? BACK : CLOSE),
			};
		}
		case 'review':
			return reviewOffers(view, isRaw, 'check again');
		case 'accept':
			return {'money.accept': (view?.toAccept.length ?? 0) > 0 ? 'accept' : 'go on', ...BACK};
		case 'confirm':
			return confirmOffers(desk.answer, isTyped(desk));
		case 'status': {
			if (view?.state.phase === 'retryable') return {'money.accept': 'check again', ...CLOSE};
			if (isUnsent(desk)) return {'money.accept': 'to the form', ...BACK};
			return view && isEnd(view.state) ? {'money.accept': 'new transfer', ...CLOSE} : CLOSE;
		}
		default:
			return CLOSE;
	}
}

function perpOffers({step, view, isRaw, answer}: PerpDesk, mode: DeskState['wallet']['mode']): Offers {
	switch (step) {
		case 'unlock':
			return {'money.accept': 'unlock', ...CLOSE};
		case 'list': {
			const count = view?.targets?.length ?? 0;
			if (count === 0) return {'money.accept': mode === 'practice' ? 'place an order' : 'read again', ...CLOSE};
			return {'money.accept': 'review the cancel', ...(count > 1 && {'money.next': 'next order'}), ...CLOSE};
		}
		case 'review':
			return reviewOffers(view, isRaw);
		case 'accept':
			return {'money.accept': view?.toAccept ? 'accept' : 'go on', ...BACK};
		case 'confirm':
			return confirmOffers(answer, true, {keep: 'keep', sign: 'sign and cancel it'});
		case 'status':
			return view && (!isCancelUnderWay(view.state) || mayRetry(view.state))
				? {'money.accept': 'back to the orders', ...CLOSE}
				: CLOSE;
		default:
			return CLOSE;
	}
}

function vaultOffers(desk: VaultDesk): Offers {
	const {step, view, isRaw} = desk;
	switch (step) {
		case 'unlock':
			return {'money.accept': 'unlock', ...CLOSE};
		case 'form':
			return {
				'money.accept': 'get a proposal',
				...(hasAmount(desk) && {'money.next': 'next line'}),
				...(desk.field === 'action' && {'money.right': 'other action'}),
				...(desk.problem ? BACK : CLOSE),
			};
		case 'review':
			return reviewOffers(view, isRaw, 'ask again');
		case 'accept':
			return {'money.accept': view?.toAccept ? 'accept' : 'go on', ...BACK};
		case 'confirm':
			return confirmOffers(desk.answer, isVaultTyped(desk));
		case 'status':
			return view && !isVaultUnderWay(view.state) ? {'money.accept': 'back to the account', ...CLOSE} : CLOSE;
		default:
			return CLOSE;
	}
}

function confirmOffers(
	answer: 'cancel' | 'sign',
	canTurn: boolean,
	{keep, sign} = {keep: 'cancel', sign: 'sign and send'},
): Offers {
	return {
		'money.accept': answer === 'sign' ? sign : keep,
		...(canTurn && {'money.next': 'switch'}),
		...BACK,
	};
}

/** @param again what accepting does to what cannot be signed as it is; nothing where it is not given */
function reviewOffers(
	view: (BridgeDesk | PerpDesk | VaultDesk)['view'],
	isRaw: boolean,
	again?: 'check again' | 'ask again',
): Offers {
	const isReady = view?.state.phase === 'reviewed';
	const accept = view && isOnlyNew(view) ? 'show the contract' : isReady ? 'confirm' : again;
	return {
		...(accept && {'money.accept': accept}),
		...(view?.plan && {'money.raw': isRaw ? 'summary' : 'raw', 'money.export': 'to file'}),
		...BACK,
	};
}
