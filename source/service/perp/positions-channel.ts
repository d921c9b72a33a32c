import {isEvmAddress} from '../../address.ts';
import {InvalidRequest, quoteForMessage} from '../../contract/wire-error.ts';
import type {MoneyServices} from '../money-services.ts';
import type {StreamChannel} from '../stream/channel.ts';
import type {PerpService} from './perp.ts';

/** How often the exchanges are read for a subscriber. */
const POLL_MS = 2000;

/** Rows of one read. */
const ALL = 500;

/**
 * A wallet's orders or positions on the socket (contract gaps 5.1): the full set at first, and again after each change.
 */
export function positionsChannel(money: MoneyServices): StreamChannel {
	return {
		kinds: ['perp-positions-open', 'perp-positions-unfilled'],
		open(request, {id: subscriptionId, send}) {
			const event = request.kind;
			const wallet = 'wallet' in request ? request.wallet : '';
			if (!isEvmAddress(wallet)) {
				throw new InvalidRequest('data.wallet', 'must be an EVM address', `got ${quoteForMessage(wallet)}`);
			}
			let timer: NodeJS.Timeout | undefined;
			let isOpen = true;
			let last = '';
			const poll = async () => {
				try {
					const rows = JSON.stringify(await rowsOf(await money.perp(), event, wallet));
					if (rows !== last)
						send(`{"event":"${event}","subscriptionId":${JSON.stringify(subscriptionId)},"data":${rows}}`);
					last = rows;
				} catch (error) {
					const message = error instanceof Error ? error.message : String(error);
					if (message !== last) send(JSON.stringify({event: 'error', type: event, subscriptionId, message}));
					last = message;
				}
				if (isOpen) timer = setTimeout(poll, POLL_MS).unref();
			};
			send(JSON.stringify({event: 'subscribed', type: event, subscriptionId}));
			void poll();
			return {
				end() {
					isOpen = false;
					clearTimeout(timer);
				},
			};
		},
	};
}

async function rowsOf(perp: PerpService, event: string, wallet: string) {
	const {getAddress} = await import('viem');
	const query = {wallet: getAddress(wallet), limit: ALL, offset: 0};
	return event === 'perp-positions-open' ? perp.open(query) : perp.unfilled(query);
}
