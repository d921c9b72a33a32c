import type {ServiceOptions} from '../../service/service-options.ts';
import {urlText} from '../../url-text.ts';
import {UsageError} from '../line/usage-error.ts';
import {readSecretFile} from './secret-file.ts';

type ExternalChains = NonNullable<NonNullable<ServiceOptions['chains']>['external']>;

/**
 * Reads the real nodes of `serve --rpc`, by chain number.
 * @param rpcs each `evm:8453=https://...`
 * @param keyFile a file (mode 600) with the private key of the service's account, as hex; without one the service can send
 * nothing on these chains
 * @throws UsageError that names the flag and the reason
 */
export function externalChains(
	rpcs: readonly string[],
	{keyFile, deploys}: {keyFile: string | undefined; deploys: boolean},
): ExternalChains {
	const key = keyFile === undefined ? undefined : readKey(keyFile);
	if (rpcs.length === 0 && (key !== undefined || deploys))
		throw new UsageError('--rpc-key-file and --rpc-deploys need --rpc', 'there is no real chain to use them on');
	return new Map(
		rpcs.map(text => {
			const [, number, url = ''] = /^evm:([1-9]\d{0,15})=(.+)$/.exec(urlText(text) ?? '') ?? [];
			if (number === undefined || !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
				throw new UsageError(
					'--rpc is not as it should be',
					'write evm:NUMBER=URL with an http or https address, as in evm:8453=http://127.0.0.1:8545',
				);
			}
			return [Number(number), {rpcUrl: url, ...(key !== undefined && {key}), ...(deploys && {deploys})}] as const;
		}),
	);
}

function readKey(file: string): `0x${string}` {
	const text = readSecretFile('--rpc-key-file', file);
	if (!/^(0x)?[0-9a-f]{64}$/i.test(text))
		throw new UsageError(
			'--rpc-key-file does not contain a private key',
			'it must contain 64 hexadecimal digits and nothing else',
		);
	return text.startsWith('0x') ? (text as `0x${string}`) : `0x${text}`;
}
