import {replicaRounds} from './replica-rounds.ts';

// `npm run torture -- replicas [SECONDS] [SEED]`: three replicas, one of which is killed every five seconds, while subscribers read
// and money moves; then the database and a leader are paused.
const seconds = Number(process.argv[2] ?? 60);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const {lines, violations} = await replicaRounds({
	seconds,
	seed,
	subscribers: 300,
	executesPerS: 20,
	killEveryMs: 5000,
	onLine: line => console.log(line),
});
console.log(
	[
		`seed ${seed}`,
		...lines,
		...violations.slice(0, 20).map(one => `VIOLATION ${one}`),
		`${violations.length} violations`,
	].join('\n'),
);
process.exitCode = violations.length === 0 ? 0 : 1;
