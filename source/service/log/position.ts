/** A position in the market log. */
export interface Position {
	readonly epoch: string;
	readonly seq: number;
}

/** As frames and answers carry it: `EPOCH.SEQ`. */
export function formatPosition({epoch, seq}: Position): string {
	return `${epoch}.${seq}`;
}

/** Reads what formatPosition wrote; undefined for any other text. */
export function parsePosition(text: string): Position | undefined {
	const [, epoch, seq] = /^([\da-z]{1,32})\.(\d{1,15})$/.exec(text) ?? [];
	return epoch === undefined ? undefined : {epoch, seq: Number(seq)};
}
