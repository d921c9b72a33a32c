/** A URL that may be opened, or why it may not. */
export type CheckedUrl =
	| {
			readonly ok: true;
			/** As a browser writes it: ASCII alone, a name in other letters as punycode. */
			readonly href: string;
			/** `example.com`, `xn--pple-43d.com`, with the port when the URL has one. */
			readonly host: string;
	  }
	| {readonly ok: false; readonly why: string};

const MAX_LENGTH = 2048;

/**
 * Checks a URL from outside before the user opens it: http or https, no name or password, and no characters that a terminal
 * or another program could read as something else.
 */
export function checkUrl(text: string): CheckedUrl {
	if (text.length > MAX_LENGTH) return {ok: false, why: 'too long'};
	// A URL parser drops line ends and tabs, and takes backslashes for slashes: the shown address would differ from the opened one.
	if (/[\u0000-\u0020\u007f-\u00a0\\]/.test(text)) return {ok: false, why: 'has blanks or control characters'};
	const url = URL.parse(text);
	if (url === null) return {ok: false, why: 'not a web address'};
	if (url.protocol !== 'https:' && url.protocol !== 'http:') return {ok: false, why: `${url.protocol} is not opened`};
	if (url.username !== '' || url.password !== '') return {ok: false, why: 'carries a name or password'};
	return {ok: true, href: url.href, host: url.host};
}

/** A checked URL for the screen: the host first, with `http://` only when it is not https. */
export function urlText({href, host}: {readonly href: string; readonly host: string}): string {
	const scheme = href.startsWith('https://') ? '' : 'http://';
	// `https://s/` has its host in its scheme, too.
	const path = href.slice(href.indexOf('//') + 2 + host.length);
	return `${scheme}${host}${path.replace(/\/$/, '')}`;
}
