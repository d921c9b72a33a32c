import {type Follower, type FollowerOptions, openFollower} from './follower.ts';

/* A follower as a process of its own, which a test can kill. It does what the messages of its parent say. */

/** What the parent says. */
export type ToFollower =
	| {readonly say: 'open'; readonly options: FollowerOptions}
	| {readonly say: 'at'; readonly nowMs: number}
	| {readonly say: 'coverage' | 'entries' | 'close'; readonly id: number};

/** What it answers. */
export type FromFollower = {readonly id: number; readonly answer: unknown} | {readonly failed: string};

let follower: Follower | undefined;
const answer = (message: FromFollower) => process.send?.(message);

process.on('message', (message: ToFollower) => {
	if (message.say === 'open') {
		follower = openFollower(message.options);
	} else if (message.say === 'at') {
		follower?.at(message.nowMs);
	} else if (message.say === 'close') {
		void follower?.close().then(() => answer({id: message.id, answer: null}));
	} else {
		const {id, say} = message;
		answer({id, answer: say === 'coverage' ? follower?.coverage : [...(follower?.entries() ?? [])]});
	}
});
process.on('uncaughtException', error => answer({failed: `${error.stack}`}));
process.on('unhandledRejection', error => answer({failed: `${(error as Error).stack}`}));
process.on('disconnect', () => process.exit());
