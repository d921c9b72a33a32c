import {urlText} from '../../url-text.ts';
import {UsageError} from '../line/usage-error.ts';

/** The value of --public-url. @throws UsageError for anything but an http or https address without query and credentials */
export function publicUrlOf(text: string | undefined): string | undefined {
	if (text === undefined) return undefined;
	const url = URL.parse(urlText(text) ?? '');
	const isUsable =
		url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash + url.username + url.password === '';
	if (!isUsable)
		throw new UsageError(
			'--public-url must be an http or https address',
			'Give where clients reach the service, for example https://pulse.example.com, without a query or a password.',
		);
	return url.href;
}
