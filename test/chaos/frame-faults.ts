import type {Chance} from './chance.ts';
import type {DelayLine} from './delay-line.ts';
import {type Fault, type FaultKind, faultOf} from './fault.ts';
import {frameLike} from './splitter.ts';

/** Faults of whole frames of a websocket on their way to the client. */
export interface FrameFaults {
	/** Passes on a frame of the service, with the faults in force. */
	pass(frame: Buffer): void;
	/** The faults in force changed: passes on the frames that an ended fault held back. */
	refresh(): void;
}

export interface FrameFaultParts {
	readonly faults: () => readonly Fault[];
	readonly chance: Chance;
	readonly onStrike: (kind: FaultKind) => void;
	readonly out: DelayLine;
}

/** A delayed frame is overtaken by at most this many others. */
const MAX_OVERTAKING = 4;
/** Opcodes from here on are control frames (RFC 6455, 5.2): close, ping, pong. */
const CONTROL = 8;

export function createFrameFaults({faults, chance, onStrike, out}: FrameFaultParts): FrameFaults {
	let held: {readonly frame: Buffer; after: number}[] = [];

	function strikes(kind: 'truncate' | 'garbage' | 'duplicate' | 'reorder'): boolean {
		const fault = faultOf(faults(), kind);
		if (fault === undefined || !chance.strikes(fault.part)) return false;
		onStrike(kind);
		return true;
	}

	/** Text that means nothing in a frame that is one, or bytes that are no frame at all. */
	function garbled(frame: Buffer): Buffer {
		if (chance.strikes(0.5)) return chance.bytes(frame.length);
		const text = chance.bytes(Math.ceil(frame.length / 2)).toString('hex');
		return frameLike(frame[0]!, Buffer.from(text));
	}

	function send(frame: Buffer): void {
		out.push(frame);
		for (const late of held) late.after--;
		const due = held.filter(({after}) => after <= 0);
		held = held.filter(({after}) => after > 0);
		for (const late of due) out.push(late.frame);
	}

	return {
		pass(frame) {
			if ((frame[0]! & 0x0f) >= CONTROL) out.push(frame);
			else if (strikes('truncate')) {
				out.push(frame.subarray(0, Math.floor(chance.next() * frame.length)));
				out.finish('cut');
			} else if (strikes('garbage')) send(garbled(frame));
			else if (strikes('reorder')) held.push({frame, after: 1 + Math.floor(chance.next() * MAX_OVERTAKING)});
			else {
				send(frame);
				if (strikes('duplicate')) send(frame);
			}
		},
		refresh() {
			if (faultOf(faults(), 'reorder')) return;
			for (const {frame} of held) out.push(frame);
			held = [];
		},
	};
}
