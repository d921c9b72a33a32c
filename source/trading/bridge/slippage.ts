import {PulsetopError} from '../../errors.ts';

/** Percent: how far the price of a launch may well move until a transfer of it is filled. */
const LAUNCH_SLIPPAGE = 10;
/** The same between dollars. */
const DOLLAR_SLIPPAGE = 1;
/** The largest slippage that can be typed: a larger one mostly costs buyers money. */
export const MAX_SLIPPAGE = 25;

/** A slippage outside the allowed range. */
class BadSlippage extends PulsetopError {
	readonly code = 'bad-slippage';

	constructor(slippage: number) {
		super('This slippage cannot be used', {
			why: `${slippage} % was given, allowed are 0 to ${MAX_SLIPPAGE} %`,
			next: 'fix-input',
		});
	}
}

/** The slippage of a transfer in percent: the typed one, else a default for the traded token. @throws BadSlippage */
export function slippageOf({slippage, trade}: {readonly slippage?: number; readonly trade?: object}): number {
	if (slippage === undefined) return trade ? LAUNCH_SLIPPAGE : DOLLAR_SLIPPAGE;
	if (!(slippage >= 0 && slippage <= MAX_SLIPPAGE)) throw new BadSlippage(slippage);
	return slippage;
}
