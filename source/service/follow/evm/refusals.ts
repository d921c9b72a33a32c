/*
 * What nodes mean by their refusals. No standard says it: numbers and words differ from provider to provider.
 */

const RATE_CODES: ReadonlySet<number> = new Set([429, -32029, -32429, -32097]);
const RATE_WORDS =
	/rate.?limit|too many requests|requests? per (?:second|minute|day)|per second limit|compute units|credits? (?:limit|exceeded)|(?:quota|capacity|throughput|daily request count)[^.]*exceeded|exceeded[^.]*(?:quota|capacity|throughput)|throttl|slow down/i;
/** Words about how much a call asks for, not how often calls come. */
const SIZE_WORDS = /range|results|blocks|logs|addresses|response size|too large|more than|query/i;

/** Whether a refusal is about how often the node is asked. A bare "limit exceeded" to eth_getLogs is about the range. */
export function isRateLimit({code, message}: {code: number; message: string}, method: string): boolean {
	if (RATE_CODES.has(code) || RATE_WORDS.test(message)) return true;
	return code === -32005 && method !== 'eth_getLogs' && !SIZE_WORDS.test(message);
}

/** Whether the node does not know a method, or does not offer it. */
export function isUnknownMethod({rpcCode, nodeMessage}: {rpcCode: number; nodeMessage: string}): boolean {
	if (rpcCode === -32601 || rpcCode === -32004) return true;
	return /method[^.]*(?:not (?:found|supported|available|allowed|enabled|whitelisted)|does not exist|disabled)|unsupported method/i.test(
		nodeMessage,
	);
}

/** Whether the node does not take the hash of a block in eth_getLogs. */
export function isHashUnknown({rpcCode, nodeMessage}: {rpcCode: number; nodeMessage: string}): boolean {
	if (/results|too (?:large|many|big)|size|limit|timeout|timed out/i.test(nodeMessage)) return false;
	return rpcCode === -32602 || rpcCode === -32600 || /block.?hash/i.test(nodeMessage);
}

/** Whether the node says that it has not got a block that exists: it lags, or one of several behind one address does. */
export function isBlockMissing({nodeMessage}: {nodeMessage: string}): boolean {
	return /(?:header|block) not found|unknown block|beyond (?:the )?(?:current )?head|after (?:the )?(?:last|latest) (?:accepted )?block|greater than (?:the )?latest|block (?:number )?(?:is )?(?:in the future|not yet)|cannot query unfinalized|invalid block range params/i.test(
		nodeMessage,
	);
}

/**
 * How many blocks the node says that it takes at once; undefined when its words name no number.
 * @param asked how many blocks were asked for: a number that is not lower is no limit
 */
export function namedRange(
	{nodeMessage, data}: {nodeMessage: string; data?: unknown},
	asked: number,
): number | undefined {
	const fits = (blocks: number) => (Number.isSafeInteger(blocks) && blocks > 0 && blocks < asked ? blocks : undefined);
	const {from, to} = (data ?? {}) as {from?: unknown; to?: unknown};
	const inData = spanOf(from, to);
	const inWords = /\[\s*(0x[\da-f]+|\d+)\s*[,\-–]\s*(0x[\da-f]+|\d+)\s*\]/i.exec(nodeMessage);
	const named = /(?:range|limit|max(?:imum)?|up to|exceeds?|only)\D{0,40}?(\d[\d,_]*)\s*(k?)(?:\s*blocks?)?/i.exec(
		nodeMessage,
	);
	const isAboutBlocks = /block/i.test(nodeMessage) && !/results|logs/i.test(named?.[0] ?? '');
	return (
		fits(inData) ??
		fits(spanOf(inWords?.[1], inWords?.[2])) ??
		(named && isAboutBlocks ? fits(Number(named[1]!.replace(/[,_]/g, '')) * (named[2] ? 1000 : 1)) : undefined)
	);
}

function spanOf(from: unknown, to: unknown): number {
	if (typeof from !== 'string' || typeof to !== 'string') return Number.NaN;
	return Number(to) - Number(from) + 1;
}
