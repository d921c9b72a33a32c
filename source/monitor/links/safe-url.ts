/** A URL that may be opened, or why it may not. */
export type CheckedUrl =
	| {
			readonly ok: true;
			/** As a browser writes it: ASCII alone, a name in other letters as punycode. */
			readonly href: string;
			/** What the reader goes by: `example.com`, `xn--pple-43d.com`, with a port where there is one. */
			readonly host: string;
	  }
	| {readonly ok: false; readonly why: string};

const MAX_LENGTH = 2048;

/**
 * Judges a URL that came from outside before a person opens it: the web alone, no name or password in it, and nothing that
 * a terminal or another program could read as anything else.
 */
export function checkUrl(text: string): CheckedUrl {
	if (text.length > MAX_LENGTH) return {ok: false, why: 'too long'};
	// A URL parser drops line ends and tabs, and takes backslashes for slashes: what is shown would not be what is opened.
	if (/[\u0000-\u0020\u007f-\u00a0\\]/.test(text)) return {ok: false, why: 'has blanks or control characters'};
	const url = URL.parse(text);
	if (url === null) return {ok: false, why: 'not a web address'};
	if (url.protocol !== 'https:' && url.protocol !== 'http:') return {ok: false, why: `${url.protocol} is not opened`};
	if (url.username !== '' || url.password !== '') return {ok: false, why: 'carries a name or password'};
	return {ok: true, href: url.href, host: url.host};
}

/** A checked URL as it is read: the host first, which is what the reader goes by, and `http://` only where it is not safe. */
export function urlText({href, host}: {readonly href: string; readonly host: string}): string {
	const scheme = href.startsWith('https://') ? '' : 'http://';
	return `${scheme}${host}${href.slice(href.indexOf(host) + host.length).replace(/\/$/, '')}`;
}
