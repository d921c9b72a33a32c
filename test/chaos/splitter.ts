/** A piece of what travels on a connection in one direction. All pieces in order are what came. */
export type Piece =
	/** A whole head of a request or an answer, with the empty line at its end. */
	| {readonly kind: 'head'; readonly bytes: Buffer; readonly text: string}
	/** Some of a body; where the body is chunked, whole chunks. */
	| {readonly kind: 'body'; readonly bytes: Buffer}
	/** A whole websocket frame. */
	| {readonly kind: 'frame'; readonly bytes: Buffer}
	/** What is not looked into. */
	| {readonly kind: 'raw'; readonly bytes: Buffer};

export interface Splitter {
	/** The pieces that are complete now. */
	push(bytes: Buffer): Piece[];
	/** Passes all further bytes unparsed. */
	passRaw(): void;
}

type State = 'head' | 'body' | 'chunked' | 'trailers' | 'frames' | 'raw';

/** Longer heads are not parsed: the rest of the connection passes raw. */
const MAX_HEAD_BYTES = 64 * 1024;
const HEAD_END = '\r\n\r\n';

/**
 * Splits one direction of an HTTP/1.1 connection into messages; after a response 101, into websocket frames.
 * @param hasBody whether a body follows this head, apart from what the head says (none follows the response to HEAD)
 */
export function createSplitter(
	side: 'requests' | 'answers',
	hasBody: (head: string) => boolean = () => true,
): Splitter {
	let state: State = 'head';
	let rest: Buffer = Buffer.alloc(0);
	/** Bytes of the body that are still to come. */
	let left = 0;

	function take(): Piece | undefined {
		if (rest.length === 0) return undefined;
		switch (state) {
			case 'head':
				return takeHead();
			case 'body': {
				const piece = piecesOf('body', Math.min(left, rest.length));
				left -= piece.bytes.length;
				if (left === 0) state = 'head';
				return piece;
			}
			case 'chunked':
				return takeChunk();
			case 'trailers':
				return takeTrailers();
			case 'frames': {
				const length = frameLength(rest);
				return length === undefined ? undefined : piecesOf('frame', length);
			}
			case 'raw':
				return piecesOf('raw', rest.length);
		}
	}

	function piecesOf(kind: 'body' | 'frame' | 'raw', length: number): Piece {
		const bytes = rest.subarray(0, length);
		rest = rest.subarray(length);
		return {kind, bytes};
	}

	function takeHead(): Piece | undefined {
		const at = rest.indexOf(HEAD_END);
		if (at < 0) {
			if (rest.length <= MAX_HEAD_BYTES) return undefined;
			state = 'raw';
			return take();
		}
		const bytes = rest.subarray(0, at + HEAD_END.length);
		rest = rest.subarray(bytes.length);
		const text = bytes.toString('latin1');
		state = stateAfter(text);
		return {kind: 'head', bytes, text};
	}

	function stateAfter(head: string): State {
		const status = side === 'answers' ? Number(/^HTTP\/1\.\d (\d{3})/.exec(head)?.[1]) : undefined;
		if (status === 101) return 'frames';
		const isBodiless = status !== undefined && (status < 200 || status === 204 || status === 304);
		if (isBodiless || !hasBody(head)) return 'head';
		if (/^transfer-encoding:.*\bchunked\b/im.test(head)) return 'chunked';
		const length = /^content-length: *(\d+)/im.exec(head)?.[1];
		left = Number(length ?? 0);
		if (left > 0) return 'body';
		// An answer that does not say how long it is ends with the connection.
		return length === undefined && side === 'answers' ? 'raw' : 'head';
	}

	function takeChunk(): Piece | undefined {
		const at = rest.indexOf('\r\n');
		if (at < 0) return undefined;
		const size = Number.parseInt(rest.toString('latin1', 0, at), 16);
		if (Number.isNaN(size)) state = 'raw';
		else if (size === 0) state = 'trailers';
		if (state !== 'chunked') return take();
		const length = at + 2 + size + 2;
		return rest.length < length ? undefined : piecesOf('body', length);
	}

	/** The last chunk, of no bytes, whatever headers follow it, and an empty line. */
	function takeTrailers(): Piece | undefined {
		const at = rest.indexOf(HEAD_END);
		if (at < 0) return undefined;
		state = 'head';
		return piecesOf('body', at + HEAD_END.length);
	}

	return {
		push(bytes) {
			rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
			const pieces: Piece[] = [];
			for (let piece = take(); piece !== undefined; piece = take()) pieces.push(piece);
			return pieces;
		},
		passRaw() {
			state = 'raw';
		},
	};
}

/** Length of the websocket frame at the beginning (RFC 6455, 5.2), or undefined while not all of it is there. */
function frameLength(bytes: Buffer): number | undefined {
	if (bytes.length < 2) return undefined;
	const [, second = 0] = bytes;
	const masked = second & 0x80 ? 4 : 0;
	const short = second & 0x7f;
	const extra = short === 127 ? 8 : short === 126 ? 2 : 0;
	if (bytes.length < 2 + extra) return undefined;
	const length = extra === 8 ? Number(bytes.readBigUInt64BE(2)) : extra === 2 ? bytes.readUInt16BE(2) : short;
	const total = 2 + extra + masked + length;
	return bytes.length < total ? undefined : total;
}

/** An unmasked frame, as a service sends it, with the first byte (end mark and kind) of another. */
export function frameLike(firstByte: number, payload: Buffer): Buffer {
	const {length} = payload;
	const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
	head[0] = firstByte;
	if (head.length === 2) head[1] = length;
	else if (head.length === 4) {
		head[1] = 126;
		head.writeUInt16BE(length, 2);
	} else {
		head[1] = 127;
		head.writeBigUInt64BE(BigInt(length), 2);
	}
	return Buffer.concat([head, payload]);
}
