import type {Alert} from './alert-rules.ts';

/** The message of the desktop for new alerts, the first one in words. @param alerts at least one */
export function alertMessage([first, ...others]: readonly Alert[]): string {
	const more = others.length > 0 ? ` and ${others.length} more` : '';
	return `pulsetop: ${first!.symbol}${more} in ${first!.view} matches ${first!.rule}`;
}

/** The message of a test alert. */
export function testMessage({symbol, rule}: Alert): string {
	return `pulsetop: TEST, ${symbol} matches ${rule}`;
}
