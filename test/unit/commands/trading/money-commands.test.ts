import {expect, test} from 'vitest';
import {intentDocument, intentText} from '../../../../source/commands/bridge/describe-intent.ts';
import {BRIDGE_SCHEMAS} from '../../../../source/commands/bridge/schemas.ts';
import {Flags} from '../../../../source/commands/line/flags.ts';
import {exitCodeOf} from '../../../../source/commands/process/exit-code.ts';
import {acceptedRoles} from '../../../../source/commands/trading/accept.ts';
import {TypedLine} from '../../../../source/commands/trading/passphrase-prompt.ts';
import {placeOf} from '../../../../source/commands/trading/place.ts';
import {explain} from '../../../../source/errors.ts';
import {CapExceeded} from '../../../../source/trading/caps.ts';
import {CheckFailed} from '../../../../source/trading/check.ts';
import {PinChanged} from '../../../../source/trading/pins.ts';
import {PracticeWall} from '../../../../source/trading/practice.ts';
import {fc} from '../../../helpers/properties.ts';

const RETURN = '\r';

/** Types chunks into a line. */
function typed(chunks: readonly string[], {isHidden = true} = {}) {
	let shown = '';
	const line = new TypedLine({
		isHidden,
		show: text => {
			shown += text;
		},
	});
	const buffers = chunks.map(chunk => Buffer.from(chunk));
	let end: ReturnType<TypedLine['take']>;
	for (const buffer of buffers) end ??= line.take(buffer);
	return {text: line.text().toString('utf8'), end, shown, buffers};
}

test('a hidden line is exactly what was typed, wherever the reads are cut, and nothing of it is shown or left in them', () => {
	const key = fc
		.string({unit: 'binary', minLength: 1, maxLength: 1})
		.filter(text => !/[\u0000-\u001f\u007f]/.test(text));
	fc.assert(
		fc.property(fc.array(key, {maxLength: 60}), fc.nat(200), (keys, cut) => {
			const text = keys.join('');
			const whole = Buffer.from(text + RETURN);
			const at = Math.min(cut, whole.length);
			const line = new TypedLine({isHidden: true, show: () => expect.fail('something was shown')});
			const parts = [Buffer.from(whole.subarray(0, at)), Buffer.from(whole.subarray(at))];
			const ends = parts.map(part => line.take(part));
			expect(ends.find(end => end !== undefined)?.kind).toBe('line');
			expect(line.text().toString('utf8')).toBe(text);
			expect(parts.every(part => part.every(byte => byte === 0))).toBe(true);
		}),
	);
});

test.each([
	['backspace takes a whole character away', ['pä\x7fass\r'], 'pass'],
	['backspace on nothing is nothing', ['\x7f\bab\r'], 'ab'],
	['Ctrl+U begins anew', ['wrong\x15right\r'], 'right'],
	['an arrow key is no text', ['a\x1b[Ab\r'], 'ab'],
	['an arrow key that is read in pieces is no text', ['a\x1b', '[', 'Ab\r'], 'ab'],
	['Alt with a letter is no text', ['a\x1bxb\r'], 'ab'],
	['Esc, then Enter, is Enter', ['ab\x1b\r'], 'ab'],
	['a line feed ends it too', ['ab\n'], 'ab'],
])('%s', (_, chunks, text) => {
	expect(typed(chunks)).toMatchObject({text, end: {kind: 'line'}, shown: ''});
});

test('bytes typed after the end of a line are kept for the next prompt', () => {
	const {end} = typed(['first\rsecond\r']);
	expect(end).toEqual({kind: 'line', rest: Buffer.from('second\r')});
});

test.each(['\x03', 'half\x03', '\x04'])('%j aborts the line', keys => {
	expect(typed([keys]).end).toEqual({kind: 'interrupt'});
});

test('a line that is shown shows what is typed and takes nothing but plain characters', () => {
	expect(typed(['12.4\x7f5ä\x07\r'], {isHidden: false})).toMatchObject({text: '12.5', shown: '12.4\b \b5'});
});

test('more than fits is left out, not written over', () => {
	expect(typed([`${'x'.repeat(3000)}\r`]).text).toBe('x'.repeat(1024));
});

test.each([
	['base', {chainId: 'evm:8453'}],
	['evm:8453', {chainId: 'evm:8453'}],
	['base:usdc', {chainId: 'evm:8453', token: 'usdc'}],
	['evm:42161:usdc', {chainId: 'evm:42161', token: 'usdc'}],
	[
		'Arbitrum:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
		{chainId: 'evm:42161', token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'},
	],
])('%s is a place', (given, place) => {
	expect(placeOf(given, 'from')).toEqual(place);
});

test.each(['', ':', 'base:', ':usdc', 'bse:usdc', 'evm:0:usdc', 'evm:x', 'tron:usdc'])('%j is not a place', given => {
	expect(() => placeOf(given, 'from')).toThrow("The value of --from can't be used");
});

const flagsOf = (...accept: string[]) => new Flags(new Map([['accept', accept]]));

test('contracts are accepted by role and the end of their address', () => {
	expect([...acceptedRoles(flagsOf('batch-executor=a1b2c3', 'bridge=000000'))]).toEqual([
		['batch executor', 'a1b2c3'],
		['bridge', '000000'],
	]);
	for (const wrong of ['bridge', 'bridge=', 'bridge=12345', 'bridge=1234567', 'executor=a1b2c3', '=a1b2c3']) {
		expect(() => acceptedRoles(flagsOf(wrong))).toThrow("The value of --accept can't be used");
	}
});

test('the document of a transfer has each known fact under its name, and no fact that is unknown', () => {
	const known = {
		depositTxHash: '0xdd',
		fillTxHash: '0xff',
		said: 'no',
		deadlineS: 12,
		liveUntilS: 132,
		leftTxHash: '0xaa',
		revertedTxHash: '0xee',
		likeTxHash: '0xcc',
	};
	const state = {phase: 'filled', attempts: 1, intentId: 'i', status: 409, sentAtMs: 1.4, readAtMs: 2.6} as const;
	const intent = intentDocument({...state, ...known, isShort: true, isTakenBack: true});
	expect(intent).toMatchObject({...known, httpStatus: 409, isFinal: true, isShort: true, isTakenBack: true});
	expect(intent).toMatchObject({isEnd: true, sentAtMs: 1, readAtMs: 3});
	const document = {schema: 'pulsetop.bridge-status/1', mode: 'real', intents: [intent]};
	expect(BRIDGE_SCHEMAS['bridge-status'].safeParse(document).success).toBe(true);
	const bare = intentDocument({phase: 'filled', attempts: 1, intentId: 'i'});
	expect(Object.keys(bare).toSorted()).toEqual(['attempts', 'intentId', 'isEnd', 'phase', 'text', 'title']);
});

test('a transfer whose transaction reverted names it in documents and in text', () => {
	const state = {
		phase: 'claimed',
		claim: 'failed',
		attempts: 1,
		intentId: 'i',
		depositTxHash: '0xdd',
		revertedTxHash: '0xee',
	} as const;
	const intent = intentDocument(state);
	expect(intent).toMatchObject({depositTxHash: '0xdd', revertedTxHash: '0xee'});
	const document = {schema: 'pulsetop.bridge-status/1', mode: 'real', intents: [intent]};
	expect(BRIDGE_SCHEMAS['bridge-status'].safeParse(document).success).toBe(true);
	expect(intentText(state)).toMatch(/^reverted +0xee$/m);
});

test.each([
	[new CheckFailed('lane', 'nonce lane', 'another lane')],
	[new CapExceeded('more than 10')],
	[new PinChanged({chainId: 'evm:8453', role: 'bridge'}, '0xa', '0xb')],
	[new PracticeWall('A practice key was given for real money', 'it was made for practice')],
])('%s ends with 3', error => {
	expect(exitCodeOf(explain(error))).toBe(3);
});
