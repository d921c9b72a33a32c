import {PulsetopError} from '../errors.ts';
import {clean} from '../text.ts';
import {type Refusal, readRefusal} from './refusals.ts';

/** The node understood a call and refused it. */
export class NodeRefused extends PulsetopError {
	readonly code = 'node-refused';
	/** The JSON-RPC error's number. */
	readonly rpcCode: number;
	/** The node's words, cleaned; no part of an address is in them. */
	readonly nodeMessage: string;
	/** The error's `data`: bytes of a revert, or a range that fits. */
	readonly data: unknown;
	/** The meaning of the refusal. */
	readonly meaning: Refusal;

	constructor(method: string, {host, rpcCode, nodeMessage, data, meaning}: RefusalParts) {
		super('The node refused a call', {
			why: `${host} refused ${method}: ${nodeMessage} (${rpcCode})`,
			next: 'retry-later',
			advice: 'Wait a little, or configure another node.',
		});
		this.rpcCode = rpcCode;
		this.nodeMessage = nodeMessage;
		this.data = data;
		this.meaning = meaning ?? readRefusal({code: rpcCode, message: nodeMessage, data}, method);
	}
}

interface RefusalParts {
	readonly host: string;
	readonly rpcCode: number;
	readonly nodeMessage: string;
	readonly data?: unknown;
	/** By the node's whole text. */
	readonly meaning?: Refusal;
}

/** No node gave a readable answer. */
export class NodeUnanswered extends PulsetopError {
	readonly code = 'node-unanswered';
	/** The answer did not come within the deadline, or was too long: a smaller question may be answered. */
	readonly tooMuch: boolean;
	/** Milliseconds until another try can succeed. */
	readonly retryInMs: number;

	constructor(why: string, {tooMuch = false, retryInMs = 0}: {tooMuch?: boolean; retryInMs?: number} = {}) {
		super('No node of the chain answers', {
			why,
			next: 'retry-later',
			advice: 'Check the address of the node, or configure another one.',
		});
		this.tooMuch = tooMuch;
		this.retryInMs = retryInMs;
	}
}

/** The node's answer cannot be right. */
export class NodeAnswerWrong extends PulsetopError {
	readonly code = 'node-answer-wrong';

	constructor(method: string, why: string) {
		super('The node gave a wrong answer', {
			why: `${method}: ${why}`,
			next: 'retry-later',
			advice: 'Configure another node if this goes on.',
		});
	}
}

const LONGEST_MESSAGE = 200;
/** Shorter parts of an address are words such as `v2` or `mainnet`. */
const SHORTEST_SECRET = 6;

/** Makes the words of nodes fit to be shown: cleaned, short, and without any part of the nodes' addresses but hosts. */
export function createScrubber(urls: readonly URL[]): (text: string) => string {
	const secrets = urls
		.flatMap(url => [
			...url.pathname.split('/'),
			...[...url.searchParams].flat(),
			url.search.slice(1),
			url.hash.slice(1),
			url.username,
			url.password,
		])
		.flatMap(part => [part, decoded(part)])
		.filter(part => part.length >= SHORTEST_SECRET)
		.sort((a, b) => b.length - a.length);
	return text => {
		let scrubbed = text.slice(0, 20 * LONGEST_MESSAGE).replace(/\b(?:https?|wss?):\/\/\S+/gi, '…');
		for (const secret of secrets) scrubbed = scrubbed.replaceAll(secret, '…');
		return clean(scrubbed, {maxLength: LONGEST_MESSAGE});
	};
}

function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}
