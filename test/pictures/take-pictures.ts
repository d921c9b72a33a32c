import {fill, press} from '../helpers/money-window.ts';
import {CLI} from '../helpers/program.ts';
import {withPty} from '../helpers/pty.ts';
import type {Screen} from '../helpers/screen.ts';
import {svgPicture} from './svg-picture.ts';

/**
 * The review of a transfer in the running program, as SVG: addresses and identifiers are others in each run.
 * @param isShown gives whether a picture is the expected one; the screen is drawn until it is
 */
export function takeBridgePicture(isShown: (svg: string) => boolean = () => true): Promise<string> {
	return withPty({args: [CLI, '--seed', '7'], columns: 104, rows: 50}, async pty => {
		await pty.waitFor(/ live simulated/);
		pty.type('jb');
		await pty.waitFor(/balance [\d,]+ USDC >/);
		await press(pty, '\t');
		await fill(pty, '12.5', /amount +12\.5/);
		await press(pty, '\r');
		await pty.waitFor('checks passed');
		await press(pty, '');
		const picture = () => svgPicture(pty.screen, 'pulsetop: the review of a transfer', windowOf(pty.screen));
		await pty.waitFor(() => isShown(picture()));
		return picture();
	});
}

/** The window that is open on a screen. */
function windowOf(screen: Screen): {left: number; top: number; columns: number; rows: number} {
	const lines = screen.text().split('\n');
	const [top, bottom] = [lines.findIndex(line => line.includes('╔')), lines.findIndex(line => line.includes('╚'))];
	const left = lines[top]!.indexOf('╔');
	return {left, top, columns: lines[top]!.indexOf('╗') - left + 1, rows: bottom - top + 1};
}
