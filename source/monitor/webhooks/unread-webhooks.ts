/** How many webhooks a list counts and does not show, since their records can't be read. */
export function unreadWebhooks({count, data}: {readonly count: number; readonly data: readonly unknown[]}): number {
	return Math.max(count - data.length, 0);
}

/** Says that webhooks are missing in a list: `2 webhooks of this key can't be read and are not listed.`; '' for none. */
export function unreadText(unread: number): string {
	if (unread === 0) return '';
	return `${unread} ${unread === 1 ? "webhook of this key can't be read and is" : "webhooks of this key can't be read and are"} not listed.`;
}
