/** Whether a host name or address is this machine only. Names other than `localhost` are not resolved. */
export function isLoopback(host: string): boolean {
	return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
