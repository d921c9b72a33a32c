import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {ROOT} from '../../../source/tools/bundle.ts';

/*
 * The clock of the machine can be set while the program runs, so it only dates things: ages, pauses and limits of time come from
 * steady-clock.ts or from performance.now(). These files read the date, and this is what for.
 */
const DATED: Readonly<Record<string, string>> = {
	'source/steady-clock.ts': 'makes the steady clock of it',
	'source/state-file.ts': 'the name of a file',
	'source/client/time-gap.ts': 'looks for its jumps',
	'source/client/stream/socket.ts': 'Retry-After can be a date',
	'source/rpc/http-transport.ts': 'Retry-After can be a date',
	'source/rpc/ws-transport.ts': 'Retry-After can be a date',
	'source/service/http-app.ts': 'x-ratelimit-reset is a date',
	'source/commands/monitor/log-file.ts': 'dates lines of a log',
	'source/commands/serve/serve.ts': 'dates lines of a log',
	'source/commands/ssh/serve-ssh.ts': 'dates lines of a log, and keys have a date of expiry',
	'source/ssh/visitor-choices.ts': 'directories have dates',
	'source/commands/webhook/listen.ts': 'dates the lines that it prints',
	'source/commands/webhook/receiver.ts': 'a signature of another machine has a date',
	'source/commands/trade/positions.ts': 'ages of dates in the journal',
	'source/commands/monitor/screen.ts': 'dates rows that are kept for the next start',
	'source/commands/monitor/crash-report.ts': 'the name of a file',
	'source/commands/monitor/alert-effects.ts': 'quiet hours are hours of the day',
	'source/trading/journal.ts': 'dates records that outlive the process',
	'source/trading/pins.ts': 'dates what was accepted',
	'source/trading/caps.ts': 'days of the journal, whose dates only grow',
	'source/trading/open-trading.ts': 'days of the journal, before a service has said its time',
	'source/service/market/create-market.ts': 'the simulated market is dated, and begins again when the clock jumps',
	'source/service/perp/perp.ts': 'timestamps of requests (spec 5)',
	'source/service/bridge/bridge.ts': 'deadlines of intents (spec 4)',
	'source/service/bridge/sponsored-units.ts': 'a deadline that a chain reads',
	'source/service/bridge/launch-trade.ts': 'a deadline that a chain reads',
	'source/service/store/sqlite-migrate.ts': 'dates a migration',
	'source/service/store/sqlite-file.ts': 'the name of a file',
	'source/service/chain/state-file.ts': 'the name of a file',
	'source/service/webhook/webhooks.ts': 'signatures of deliveries have a date',
	'source/service/coverage-now.ts': 'how far a block lags: blocks have dates',
	'source/service/follow/followed-market.ts': 'blocks have dates',
	'source/service/follow/evm/block-reader.ts': 'blocks have dates',
	'source/service/follow/evm/check-node.ts': 'blocks have dates',
	'source/service/follow/evm/evm-source.ts': 'blocks have dates',
	'source/service/follow/solana/check-node.ts': 'blocks have dates',
	'source/service/follow/solana/solana-source.ts': 'blocks have dates',
	'source/tools/bundle.ts': 'files have dates',
};

/** A line of code that reads the date of the machine. */
const READS = /^(?!\s*(?:\*|\/\/|\/\*)).*(?:\bDate\.now\b|\bnew Date\(\))/m;

test('the date of the machine is read only where something is dated', () => {
	const files = globSync('source/**/*.{ts,tsx}', {cwd: ROOT}).filter(file => !file.endsWith('.generated.ts'));
	expect(files.length).toBeGreaterThan(500);
	const found = files.filter(file => READS.test(readFileSync(join(ROOT, file), 'utf8')));
	expect(found.toSorted()).toEqual(Object.keys(DATED).toSorted());
});
