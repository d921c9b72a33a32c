import {MadeSource} from './made-chain.ts';
import {openFollowed} from './shown-market.ts';

/* Follows the made chain into a data directory until it is killed, and sends the number of each block that was read. */

const [dataDir, seed, toBlock] = process.argv.slice(2);
const source = new MadeSource(Number(seed));
const market = openFollowed(source, dataDir);
market.start();
const step = async (): Promise<void> => {
	if (source.block < Number(toBlock)) await source.step();
	process.send!(source.block);
	setImmediate(step);
};
step();
