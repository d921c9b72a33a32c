import type {Socket} from 'node:net';
import {Duplex} from 'node:stream';
import type {Channel} from 'ssh2/lib/server.js';
import {expect, test} from 'vitest';
import {ChannelOutput} from '../../../source/ssh/channel-terminal.ts';

test('a frame is one call of the system, though the library writes its packet in parts', () => {
	const calls: string[][] = [];
	const socket = Object.assign(
		new Duplex({
			writev(chunks, done) {
				calls.push(chunks.map(({chunk}) => String(chunk)));
				done();
			},
		}),
		{bytesWritten: 0},
	) as unknown as Socket;
	const channel = Object.assign(new Duplex(), {
		write: (text: string) => ['length ', text, ' tag'].map(part => socket.write(part)).every(Boolean),
	}) as unknown as Channel;
	const output = new ChannelOutput(channel, socket, {columns: 80, rows: 24});
	output.write('frame');
	expect(calls).toEqual([['length ', 'frame', ' tag']]);
	output.write('next');
	expect(calls[1]).toEqual(['length ', 'next', ' tag']);
});
