// A process that runs a practice chain for as long as its own parent lets it.
import {startAnvil} from '../../../source/service/chain/anvil.ts';
import {findAnvil} from '../../../source/service/chain/anvil-binary.ts';
import {startWatchdog} from '../../../source/service/chain/watchdog.ts';

const anvil = await startAnvil({
	chainId: 8453,
	binary: findAnvil().path!,
	watchdog: startWatchdog(),
	directory: process.argv[2],
});
process.send?.({pid: anvil.pid, rpcUrl: anvil.rpcUrl});
// Listening is what keeps this process: the chain must not.
process.on('message', () => {});
