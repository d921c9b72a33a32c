import {expect, test} from 'vitest';
import {createSplitter, frameLike, type Piece} from '../../chaos/splitter.ts';
import {fc} from '../../helpers/properties.ts';

const DATE = 'Date: Thu, 15 Jan 2026 12:00:00 GMT\r\n';

/** An answer and what it is made of. */
const response = fc.oneof(
	fc.uint8Array({minLength: 1, maxLength: 300}).map(body => ({
		head: `HTTP/1.1 200 OK\r\n${DATE}Content-Length: ${body.length}\r\n\r\n`,
		body: Buffer.from(body),
	})),
	fc.array(fc.uint8Array({minLength: 1, maxLength: 99}), {maxLength: 4}).map(chunks => ({
		head: `HTTP/1.1 200 OK\r\n${DATE}transfer-encoding: chunked\r\n\r\n`,
		body: Buffer.concat([
			...chunks.flatMap(chunk => [
				Buffer.from(`${chunk.length.toString(16)}\r\n`),
				Buffer.from(chunk),
				Buffer.from('\r\n'),
			]),
			Buffer.from('0\r\n\r\n'),
		]),
	})),
	fc.constantFrom('204 No Content', '304 Not Modified', '200 OK').map(status => ({
		head: `HTTP/1.1 ${status}\r\n${DATE}content-length: 0\r\n\r\n`,
		body: Buffer.alloc(0),
	})),
);

/** The same bytes, as a network might bring them. */
function inParts(bytes: Buffer, cuts: readonly number[]): Buffer[] {
	const at = [0, ...cuts.map(cut => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
	return at.slice(1).map((end, i) => bytes.subarray(at[i], end));
}

const bytesOf = (pieces: readonly Piece[]) => Buffer.concat(pieces.map(piece => piece.bytes));

test('however the bytes of answers arrive, their heads are found and nothing is lost or added', () => {
	fc.assert(
		fc.property(
			fc.array(response, {minLength: 1, maxLength: 5}),
			fc.array(fc.nat(), {maxLength: 30}),
			(answers, cuts) => {
				const all = Buffer.concat(answers.flatMap(({head, body}) => [Buffer.from(head), body]));
				const splitter = createSplitter('answers');
				const pieces = inParts(all, cuts).flatMap(part => splitter.push(part));
				expect(bytesOf(pieces)).toEqual(all);
				expect(pieces.flatMap(piece => (piece.kind === 'head' ? [piece.text] : []))).toEqual(
					answers.map(({head}) => head),
				);
			},
		),
	);
});

test('after an answer of 101 come whole frames, of any length', () => {
	const payloads = fc.array(fc.constantFrom(0, 1, 125, 126, 65_535, 65_536), {minLength: 1, maxLength: 4});
	fc.assert(
		fc.property(payloads, fc.array(fc.nat(), {maxLength: 20}), (lengths, cuts) => {
			const frames = lengths.map(length => frameLike(0x81, Buffer.alloc(length, 'x')));
			const splitter = createSplitter('answers');
			splitter.push(Buffer.from('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n'));
			const pieces = inParts(Buffer.concat(frames), cuts).flatMap(part => splitter.push(part));
			expect(pieces.map(piece => piece.bytes.length)).toEqual(frames.map(frame => frame.length));
			expect(pieces.every(piece => piece.kind === 'frame')).toBe(true);
		}),
		{numRuns: 30},
	);
});

test('bytes that are not HTTP pass unchanged', () => {
	const splitter = createSplitter('answers');
	const noise = Buffer.alloc(100_000, 'SSH-2.0-hello ');
	expect(bytesOf(splitter.push(noise))).toEqual(noise);
});

test('the response to HEAD has no body, with any content-length', () => {
	const splitter = createSplitter('answers', () => false);
	const head = 'HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n';
	expect(splitter.push(Buffer.from(head + head)).map(piece => piece.kind)).toEqual(['head', 'head']);
});
