import {afterAll, afterEach, beforeAll, beforeEach, expect, test} from 'vitest';
import {SIMULATED_MARKETS} from '../../source/contract/simulated-markets.ts';
import {type Any, type Door, type MoneyHome, openDoor, openMoneyHome} from '../helpers/money-cli.ts';
import {expectShape} from '../helpers/output-shape.ts';
import {type RunningServe, startServe} from '../helpers/program.ts';

const BATCH = 'POST /api/2/pm/markets/batch';

let service: RunningServe;
let door: Door;
beforeAll(async () => {
	service = await startServe(['--no-auth', '--seed', '7', '--rate', '0.1']);
	door = await openDoor(service.url);
});
afterAll(async () => {
	await door?.close();
	await service?.stop();
});

let home: MoneyHome;
beforeEach(() => {
	home = openMoneyHome();
	door.asked.length = 0;
});
afterEach(() => home.remove());

const at = () => ['--base-url', door.url];

test('markets are requested in batches of fifty and printed in the given order, in every form; an unknown one is named', async () => {
	const known = SIMULATED_MARKETS.toReversed();
	const unknown = Array.from({length: 60}, (_, n) => `platformA:${n}`);
	const shown = await home.json(['market', 'show', ...unknown, ...known, ...at()], {code: 1});
	expectShape('market-show', shown);
	expect(shown.markets.map(({id}: Any) => id)).toEqual(known);
	expect(shown.missing).toEqual(unknown);
	expect(door.asked.filter(line => line === BATCH)).toHaveLength(2);

	const partly = await home.run(['market', 'show', 'platformA:0', known[0]!, ...at()]);
	expect(partly).toMatchObject({code: 1, stderr: 'The response has no readable record of platformA:0.\n'});
	expect(partly.stdout).toMatch(/OUTCOME +PRICE +CHG 24h/);
	const {stdout: csv} = await home.run(['market', 'show', known[0]!, '--format', 'csv', ...at()]);
	expect(csv.split('\r\n')).toHaveLength(4);

	const wallet = `0x${'12'.repeat(20)}`;
	const status = await home.json(['market', 'status', wallet, ...at()]);
	expectShape('market-status', status);
	expect(status).toMatchObject({mode: 'real', wallet: {address: wallet}, account: {isDeployed: false}});
});

test('without an id the markets of the embedded service are shown; another service lists none', async () => {
	const {markets} = await home.json(['market', 'show']);
	expect(markets.map(({id}: Any) => id)).toEqual(SIMULATED_MARKETS);
	const other = await home.run(['market', 'show', ...at()]);
	expect(other).toMatchObject({code: 2, stdout: ''});
	expect(other.stderr).toContain('No market is given');
});

test('an account is deployed, filled and emptied, by the plan of a dry run or a typed confirmation, and a plan is valid once', async () => {
	const planned = await home.json(['market', 'deploy', '--dry-run']);
	expectShape('market-plan', planned);
	expect(planned).toMatchObject({
		mode: 'practice',
		action: 'deploy',
		isReady: true,
		typedData: {primaryType: 'CreateProxy'},
	});
	const deploy = ['market', 'deploy', '--yes', '--plan', planned.planHash];
	const made = await home.json(deploy);
	expectShape('market-act', made);
	expect(made).toMatchObject({
		phase: 'done',
		account: planned.account,
		txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
	});

	await home.inTerminal(['market', 'deposit', '--amount', '30'], async pty => {
		await pty.waitFor('Type 30 to sign and send');
		await pty.waitFor(/you send +30 USDC on Polygon/);
		pty.type('30\r');
		await pty.waitFor('The transaction is mined and succeeded.');
	});

	const plan = await home.json(['market', 'withdraw', '--amount', '12.5', '--dry-run']);
	expectShape('market-plan', plan);
	expect(plan).toMatchObject({
		isReady: true,
		amount: '12.5',
		transaction: {to: made.account, chainId: 137, value: '0'},
	});
	const withdraw = ['market', 'withdraw', '--yes', '--plan', plan.planHash];
	const more = await home.json([...withdraw, '--amount', '12.6'], {code: 2});
	expect(more.error).toMatchObject({code: 'usage', what: '--amount is not that of the plan'});
	const other = await home.json(['market', 'deposit', '--yes', '--plan', plan.planHash], {code: 2});
	expect(other.error).toMatchObject({code: 'usage', what: 'deposit is not that of the plan'});
	const done = await home.json([...withdraw, '--amount', '12.50']);
	expectShape('market-act', done);
	expect(done.phase).toBe('done');
	expect((await home.json(withdraw, {code: 3})).error.code).toBe('plan-differs');

	const status = await home.json(['market', 'status']);
	expectShape('market-status', status);
	expect(status.account).toMatchObject({address: made.account, isDeployed: true});
	expect(Object.values(status.account.balances).map(Number)).toContain(17.5);
	const {records} = await home.json(['wallet', 'log']);
	const sent = records.filter(({kind}: Any) => kind === 'vault.intended').map(({data}: Any) => data.action);
	expect(sent).toEqual(['deploy', 'deposit', 'withdraw']);
});

test('a configured service means real money, and real accounts are refused', async () => {
	const real = openMoneyHome(`[service]\nbase-url = "${service.url}"`);
	try {
		await real.json(['wallet', 'create', 'main', '--passphrase-fd', '3'], {fds: ['a passphrase of the tests']});
		const refused = await real.json(['market', 'deploy', '--dry-run'], {code: 3});
		expect(refused.error).toMatchObject({
			code: 'account-unavailable',
			what: 'Prediction accounts work with practice money only',
		});
	} finally {
		real.remove();
	}
});
