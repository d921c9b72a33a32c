// A program that moves money again and again, through the real flow with its journal, until it is killed.
// Arguments: the data directory, the service's address and key. Says `ready` when a transfer is
// confirmed, and goes on when it gets a message.
import {createClient} from '../../source/client/create-client.ts';
import {openTrading} from '../../source/trading/open-trading.ts';
import {openPracticeWallet} from '../../source/trading/practice-wallet.ts';

const [dataDir, baseUrl, apiKey] = process.argv.slice(2) as [string, string, string];
const client = createClient({baseUrl, streamUrl: null, apiKey});
const trading = openTrading({dataDir, mode: 'practice', client, practice: {baseUrl, apiKey}, scryptCost: 1024});
const {usdc} = await openPracticeWallet(trading, {baseUrl, apiKey});

// What the run before left is read, and never sent again.
for (const {intentId} of await trading.openIntents()) {
	const flow = await trading.bridgeFlow();
	flow.resume(intentId);
	await flow.read();
}

const told = new Promise(resolve => process.once('message', resolve));
for (;;) {
	const flow = await trading.bridgeFlow();
	await flow.quote({
		originChainId: 'evm:8453',
		originToken: usdc['evm:8453']!,
		amount: '10',
		destinationChainId: 'evm:42161',
		destinationToken: usdc['evm:42161']!,
	});
	for (const {role, fingerprint} of flow.view.toAccept) await flow.accept(role, fingerprint.slice(-6));
	flow.confirm('10');
	process.send?.('ready');
	await told;
	await flow.execute();
}
