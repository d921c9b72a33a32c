import {PATIENCE_MS} from './patience.ts';
import type {Pty} from './pty.ts';

/** How long a key has for its effect before it is typed again: a key that came while the window was being redrawn counts for nothing. */
const AGAIN_MS = 5000;

/** A step has to have been in sight for a moment before a key counts; until then an ellipsis stands in the title. */
export async function press(pty: Pty, keys: string): Promise<void> {
	await pty.waitFor(screen => /PRACTICE MONEY {2}[^…║]*║/.test(screen.text()));
	pty.type(keys);
}

/** Goes on to the next step with a key. */
export async function goOn(pty: Pty, key: string, next: RegExp): Promise<void> {
	await pressUntil(pty, key, next);
}

async function pressUntil(pty: Pty, keys: string, shown: RegExp): Promise<void> {
	for (const endMs = performance.now() + PATIENCE_MS; !shown.test(pty.screenText()); ) {
		await press(pty, keys);
		await pty.waitFor(shown, AGAIN_MS).catch((error: unknown) => {
			if (performance.now() > endMs) throw error;
		});
	}
}

/** Types into the active field until it stands there: what comes before the step was in sight counts for nothing. */
export async function fill(pty: Pty, text: string, field: RegExp): Promise<void> {
	await pressUntil(pty, text, field);
}

const STEPS = /Enter shows it|Type its last|checks passed/g;
const ADDRESS = /address\s+(0x[0-9a-fA-F]{40})/;

/** Accepts the contracts that are met for the first time, by the ends of their addresses as they are shown. */
export async function acceptContracts(pty: Pty): Promise<void> {
	for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs; ) {
		// Half a frame shows two steps at once, or one without its address.
		const text = await pty.waitFor(screen => {
			const [step, ...more] = screen.text().match(STEPS) ?? [];
			return step !== undefined && more.length === 0 && (step !== 'Type its last' || ADDRESS.test(screen.text()));
		});
		if (text.includes('checks passed')) return;
		if (text.includes('Enter shows it')) {
			await press(pty, '\r');
			await pty.waitFor(screen => !screen.text().includes('Enter shows it'), AGAIN_MS).catch(() => {});
			continue;
		}
		const address = ADDRESS.exec(text)![1]!;
		// Nothing but these two keys does anything here, so nothing else is hinted at.
		const hints = pty.screenText().trimEnd().split('\n').at(-1)!.trim();
		if (hints !== 'Enter accept  Esc back') throw new Error(`hints of the accept step: ${hints}`);
		const end = address.slice(-6);
		await fill(pty, end, new RegExp(`▌ends with +${end} `));
		pty.type('\r');
		await pty.waitFor(screen => !screen.text().includes(address) || !screen.text().includes('Type its last'));
	}
	throw new Error(`contracts were never accepted\n${pty.screenText()}`);
}
