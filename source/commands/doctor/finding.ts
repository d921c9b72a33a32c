/** One thing that the doctor looked at. */
export interface Finding {
	readonly subject: 'program' | 'configuration' | 'files' | 'terminal' | 'service' | 'chains' | 'money';
	readonly state: 'good' | 'note' | 'bad';
	/** What was found, in one sentence, without an address, a key or the name of the home directory. */
	readonly words: string;
	/** What to do about it. */
	readonly advice?: string;
}
