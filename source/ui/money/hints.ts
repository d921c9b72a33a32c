import type {KeyHints} from '../../monitor/state.ts';
import {isOnlyNew} from '../../trading/check.ts';
import {isTyped, type MoneyDisplay} from './money-part.ts';
import type {FlowView, MoneyState, WindowState} from './money-state.ts';

const CLOSE = {'money.back': 'close'} as const;
const BACK = {'money.back': 'back'} as const;

/** The actions that do something in a window as it stands, with their labels for the line of hints. */
export function moneyHints<Form, View extends FlowView>(
	display: MoneyDisplay<Form, View>,
	window: WindowState<Form, View> | undefined,
	state: Pick<MoneyState, 'wallet' | 'reach'>,
): KeyHints {
	if (!window) return CLOSE;
	const {reach = 0} = state;
	const top = Math.min(window.scroll, reach);
	const isBetween = window.step === 'confirm' || window.step === 'accept';
	return {
		...(window.busy === undefined ? stepHints(display, window, state) : isBetween ? BACK : CLOSE),
		...(top < reach && {'money.pageDown': 'scroll'}),
		...(top > 0 && {'money.pageUp': 'scroll up'}),
	};
}

function stepHints<Form, View extends FlowView>(
	display: MoneyDisplay<Form, View>,
	window: WindowState<Form, View>,
	{wallet}: Pick<MoneyState, 'wallet'>,
): KeyHints {
	const {step, view, shows, answer} = window;
	switch (step) {
		case 'unlock':
			return {'money.accept': 'unlock', ...CLOSE};
		case 'form':
			return display.formHints(window, wallet);
		case 'review': {
			const isReady = view && display.isReady(view);
			const accept = view && isOnlyNew(view) ? 'show the contract' : isReady ? 'confirm' : display.texts.again;
			return {
				...(accept && {'money.accept': accept}),
				...(view?.plan && {
					'form.next': shows === 'details' ? 'summary' : 'details',
					'money.raw': shows === 'raw' ? 'summary' : 'raw',
					'money.export': 'to file',
				}),
				...BACK,
			};
		}
		case 'accept':
			return {'money.accept': (view?.toAccept.length ?? 0) > 0 ? 'accept' : 'go on', ...BACK};
		case 'confirm':
			return {
				'money.accept': display.texts.answerHints[answer === 'sign' ? 'sign' : 'keep'],
				...(isTyped(display, window) && {'form.next': 'switch'}),
				...BACK,
			};
		case 'status': {
			const accept = view && display.status({...window, view}).accept;
			return {...(accept && {'money.accept': accept}), ...(display.isUnsent?.(window) ? BACK : CLOSE)};
		}
		default:
			return CLOSE;
	}
}
