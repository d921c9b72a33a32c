/** Where the database of the replicas is, and how to reach it. */
export interface StoreAddress {
	/** `postgres://USER@HOST:PORT/DATABASE`, without a password. */
	readonly url: string;
	readonly password?: string | undefined;
	/** `verify` checks the name and the certificate of the server, `encrypt` only encrypts. */
	readonly tls: 'off' | 'encrypt' | 'verify';
	/** PEM of the authorities that `verify` believes; undefined: those of Node. */
	readonly ca?: string | undefined;
}
