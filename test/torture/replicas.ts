import {REPLICA_STAGES, replicaRounds} from './replica-rounds.ts';

// `npm run torture -- replicas [SECONDS] [SEED] [STAGE]`: three replicas under load. One is killed every five seconds, then their
// database is killed and paused, then a leader is paused; or one of these stages alone. SECONDS is how long replicas are killed.
const seconds = Number(process.argv[2] ?? 60);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const stages = REPLICA_STAGES.filter(stage => [undefined, stage].includes(process.argv[4] as typeof stage | undefined));
if (stages.length === 0) throw new Error(`There are the stages ${REPLICA_STAGES.join(', ')}, not ${process.argv[4]}`);
const startMs = performance.now();
const {lines, violations} = await replicaRounds({seconds, seed, stages, onLine: line => console.log(line)});
console.log(
	[
		`seed ${seed}, ${((performance.now() - startMs) / 1000).toFixed(0)} s`,
		...lines,
		...violations.slice(0, 20).map(one => `VIOLATION ${one}`),
		`${violations.length} violations`,
	].join('\n'),
);
process.exitCode = violations.length === 0 ? 0 : 1;
