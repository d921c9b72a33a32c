import {chainName} from '../../chains/chains.ts';
import {formatUnits} from '../decimal.ts';
import {isHeld, type Position} from './position.ts';
import {wholeTokens} from './value.ts';

/** Unusual facts of a position that its figures alone do not show, a short sentence each. */
export function positionWords(position: Position): readonly string[] {
	const {holding, amount, movedRaw = 0n, foreignRaw = 0n, boughtRaw = 0n, price} = position;
	const {decimals, chainId, goneRaw, trackedRaw} = holding;
	const words: string[] = [];
	if (amount.kind === 'unread') words.push(`amount not read: ${amount.why}`);
	if (goneRaw > 0n)
		words.push(
			`the practice chain ${chainName(chainId)} was reset: ${shortAmount(goneRaw, decimals)} are gone with it`,
		);
	if (movedRaw > 0n)
		words.push(
			movedRaw === trackedRaw
				? `all ${shortAmount(movedRaw, decimals)} moved elsewhere`
				: `${shortAmount(movedRaw, decimals)} moved elsewhere, and their cost with them`,
		);
	if (foreignRaw > 0n)
		words.push(
			boughtRaw === 0n ? 'not bought here: no cost' : `${shortAmount(foreignRaw, decimals)} not bought here: no cost`,
		);
	if (isHeld(position) && price === undefined) words.push('no price: the service does not report it now');
	return words;
}

/** From an amount on, its unit and the unit's size. */
const UNITS = [
	[1e12, 1e12, 'T'],
	[1e9, 1e9, 'B'],
	[1e6, 1e6, 'M'],
	[1e4, 1e3, 'K'],
	[0, 1, ''],
] as const;

/** An amount in whole tokens, four significant figures: `1.234M`, `1234`, `12.5`, `0.0001`. Only zero is shown as zero. */
export function shortAmount(raw: bigint, decimals: number): string {
	if (raw === 0n) return '0';
	const whole = wholeTokens(raw, decimals);
	const [, size, unit] = UNITS.find(([from]) => whole >= from)!;
	if (whole >= 1e-4) return `${Number((whole / size).toPrecision(4))}${unit}`;
	const exact = formatUnits(raw, decimals);
	return exact.length <= 8 ? exact : '<0.0001';
}
