/** The result of one check of the doctor. */
export interface Finding {
	readonly subject: 'program' | 'configuration' | 'files' | 'terminal' | 'network' | 'service' | 'chains' | 'money';
	readonly state: 'good' | 'note' | 'bad';
	/** One sentence, without an address, a key or the path of the home directory. */
	readonly text: string;
	/** How to fix it. */
	readonly advice?: string;
}
