import {expect, test} from 'vitest';
import {captureStderr} from '../../../source/terminal/capture-stderr.ts';

function fakeStderr() {
	const written: string[] = [];
	return {written, stream: {write: (text: string) => written.push(text) > 0} as unknown as NodeJS.WriteStream};
}

test('what is written while the program has the screen is kept and does not reach the terminal', async () => {
	const {written, stream} = fakeStderr();
	const kept: string[] = [];
	const release = captureStderr(text => kept.push(text), stream);
	await new Promise<void>(resolve => void stream.write('a warning\n', () => resolve()));
	stream.write(Buffer.from('and bytes\n'));
	release();
	stream.write('after');
	expect(kept).toEqual(['a warning\n', 'and bytes\n']);
	expect(written).toEqual(['after']);
});
