import type {BridgeStatusRow} from '../../contract/bridge.ts';
import type {MoneyServices} from '../money-services.ts';
import type {StreamChannel} from '../stream/channel.ts';

/** Rows of intents on the socket (contract gaps 4.5): first one for each intent, then one for each change. */
export function bridgeStatusChannel(money: MoneyServices): StreamChannel {
	return {
		kinds: ['bridge-status'],
		open(request, {id: subscriptionId, send}) {
			const intentIds = request.kind === 'bridge-status' ? [...new Set(request.intentIds)] : [];
			const type = 'bridge-status';
			let isOpen = true;
			const stops: (() => void)[] = [];
			const sent = new Map<string, string>();
			const sendRow = (intentId: string, payload: BridgeStatusRow) => {
				const frame = JSON.stringify({type, subscriptionId, payload});
				if (sent.get(intentId) !== frame) send(frame);
				sent.set(intentId, frame);
			};
			send(JSON.stringify({event: 'subscribed', type, subscriptionId}));
			const follow = async () => {
				const [{statusRow}, bridge] = await Promise.all([import('./status.ts'), money.bridge()]);
				for (const intentId of intentIds) {
					if (!isOpen) return;
					stops.push(bridge.book.onChange(intentId, intent => sendRow(intentId, statusRow(intent))));
					sendRow(intentId, await bridge.status(intentId));
				}
			};
			follow().catch(error => {
				const message = error instanceof Error ? error.message : String(error);
				send(JSON.stringify({event: 'error', type, subscriptionId, message}));
			});
			return {
				end() {
					isOpen = false;
					for (const stop of stops) stop();
				},
			};
		},
	};
}
