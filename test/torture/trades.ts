import {tradeRounds} from './trade-rounds.ts';
import {walletRounds} from './wallet-rounds.ts';

// `npm run torture -- trades [ROUNDS] [SEED]`: kill -9 while launches are bought and sold, first of the service alone at random
// points, then of wallets at each of their own, with the service now and then.
const rounds = Number(process.argv[2] ?? 100);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const onRound = (round: number, {violations}: {readonly violations: readonly string[]}) => {
	if (round % 10 === 0) console.log(`${round} rounds, ${violations.length} violations`);
};
const counted = (counts: Readonly<Record<string, number>>) =>
	Object.entries(counts)
		.map(([what, count]) => `${count} ${what}`)
		.join(', ');
function report(startMs: number, lines: readonly string[], violations: readonly string[]): void {
	const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
	const bad = violations.map(violation => `VIOLATION ${violation}`);
	console.log(
		[`seed ${seed}, ${rounds} rounds in ${seconds} s`, ...lines, ...bad, `${violations.length} violations`].join('\n'),
	);
	if (violations.length > 0) process.exitCode = 1;
}

let startMs = performance.now();
const service = await tradeRounds({rounds, seed, users: 4, onRound});
report(
	startMs,
	[
		`${service.kills} kills of the service`,
		`trades: ${counted(service.ended)}; ${service.refused} quotes refused`,
		'what wallets hold on the chain is what the book and the market say',
	],
	service.violations,
);

startMs = performance.now();
const wallets = await walletRounds({rounds, seed, serviceKills: 0.25, onRound});
report(
	startMs,
	[
		`kills of wallets: ${counted(wallets.kills)}; ${wallets.unreached} came to no point; ${wallets.serviceKills} kills of the service`,
		`trades of the journal: ${counted(wallets.ended)}; ${wallets.journalRecords} records, each following the one before`,
		`${wallets.positions} positions compared with balances, dollars and limits; ${wallets.boughtAgain} launches bought again`,
	],
	wallets.violations,
);
