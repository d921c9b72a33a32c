import {explain} from '../../../errors.ts';
import {labelBatches} from '../../../monitor/tokens/label-batches.ts';
import {clientOf, type ScreenContext} from '../../screens/screen.ts';
import type {Slice} from '../../screens/slice.ts';
import type {LabelsState, PathStep} from './labels-state.ts';

/** How many wallets the first money is followed back through. */
const MAX_STEPS = 6;

export interface LabelsLookup {
	/** Requests the labels of wallets that have none yet. Labels received stay when a later batch fails. @param maxAgeMs of labels in the client's cache */
	lookUp(maxAgeMs?: number): void;
	/** Follows the first money of a wallet back to its funder, and to the funder of that one, until none is reported or one comes twice. */
	followMoney(address: string): void;
	stopLookingUp(): void;
	stopFollowing(): void;
}

/** Makes the requests of the wallets screen; their results go to its state. */
export function createLabelsLookup(slice: Slice<LabelsState>, context: ScreenContext): LabelsLookup {
	let looking: AbortController | undefined;
	let following: AbortController | undefined;

	async function lookUp(maxAgeMs?: number): Promise<void> {
		looking?.abort();
		const current = new AbortController();
		looking = current;
		const {signal} = current;
		const {addresses, found, token} = slice.get();
		const missing = addresses.filter(address => !found.has(address));
		let waiting = missing.length;
		slice.change(({problem: _, waiting: __, ...state}) => (waiting === 0 ? state : {...state, waiting}));
		const options = {
			signal,
			...(token !== undefined && {token: token.address}),
			...(maxAgeMs !== undefined && {maxAgeMs}),
		};
		try {
			for (const batch of labelBatches(missing)) {
				const labels = await clientOf(context).labels(batch, options);
				if (signal.aborted) return;
				waiting -= batch.length;
				slice.change(state => ({...state, found: new Map([...state.found, ...labels]), waiting}));
			}
		} catch (error) {
			if (!signal.aborted) slice.change(state => ({...state, problem: explain(error)}));
		} finally {
			if (looking === current) slice.change(({waiting: _, ...state}) => state);
		}
	}

	async function follow(address: string): Promise<void> {
		following?.abort();
		const current = new AbortController();
		following = current;
		const {signal} = current;
		const path: PathStep[] = [];
		const show = (isLooking: boolean): void =>
			slice.change(state =>
				state.open?.address === address ? {...state, open: {address, path: [...path], isLooking}} : state,
			);
		try {
			const seen = new Set([address]);
			let funding = slice.get().found.get(address)?.funding;
			while (funding !== undefined && path.length < MAX_STEPS) {
				const {from} = funding;
				path.push({funding});
				if (from === undefined || seen.has(from)) break;
				seen.add(from);
				show(true);
				const labels = (await clientOf(context).labels([from], {signal})).get(from);
				if (signal.aborted) return;
				path[path.length - 1] = {funding, ...(labels && {labels})};
				funding = labels?.funding;
			}
		} catch (error) {
			if (!signal.aborted) context.notify(`The way of the money ends here: ${explain(error).why}`, 'warn');
		} finally {
			if (!signal.aborted) show(false);
		}
	}

	return {
		lookUp: maxAgeMs => void lookUp(maxAgeMs),
		followMoney: address => void follow(address),
		stopLookingUp: () => looking?.abort(),
		stopFollowing: () => following?.abort(),
	};
}
