import {killRounds} from './kill-rounds.ts';

// `npm run torture -- kill [ROUNDS] [SEED]`: kill -9 at random points while money moves and webhooks are delivered.
const rounds = Number(process.argv[2] ?? 100);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const startMs = performance.now();
const figures = await killRounds({
	rounds,
	seed,
	onRound: (round, {violations}) => {
		if (round % 10 === 0) console.log(`${round} rounds, ${violations.length} violations`);
	},
});
const {executes, cancels, deliveries, startsMs, violations} = figures;
const sorted = startsMs.toSorted((a, b) => a - b);
const points = (name: string, {answered, cutBefore, cutAfter}: typeof executes) =>
	`${name}: ${answered} answered before the kill, ${cutBefore} cut before they were claimed, ${cutAfter} cut after it`;
console.log(
	[
		`seed ${seed}, ${rounds} rounds in ${((performance.now() - startMs) / 1000).toFixed(0)} s`,
		`kills: ${figures.serviceKills} of the service, ${figures.killsDuringStart} of them while it started; ${figures.walletKills} of a wallet`,
		`${points('executes', executes)}; ${figures.unclear} waited for their deadline`,
		points('cancels', cancels),
		`${figures.deposits} deposits, each once; balances on both chains agree with the book`,
		`webhooks: ${deliveries.taken} arrived, ${deliveries.owedAtKills} were under way at kills, ${deliveries.repeated} came twice or more, 0 given up`,
		`journal: ${figures.journalRecords} records, each following the one before`,
		`start after a kill: median ${sorted[sorted.length >> 1]?.toFixed(0)} ms, worst ${sorted.at(-1)?.toFixed(0)} ms`,
		...violations.map(violation => `VIOLATION ${violation}`),
		`${violations.length} violations`,
	].join('\n'),
);
process.exitCode = violations.length === 0 ? 0 : 1;
