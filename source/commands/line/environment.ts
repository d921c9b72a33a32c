/** Environment variables for help and the manual page. */
export const ENVIRONMENT: readonly (readonly [name: string, help: string])[] = [
	['PULSETOP_BASE_URL', 'as --base-url; commas between several'],
	['PULSETOP_STREAM_URL', 'as --stream-url; commas between several'],
	['PULSETOP_API_KEY', 'as --api-key'],
	['PULSETOP_DATA_DIR', 'as --data-dir'],
	['PULSETOP_CA_FILE', 'as --ca-file'],
	['PULSETOP_CONFIG', 'as --config'],
	['PULSETOP_FOLLOW', 'as --follow; blanks between several chains'],
	['PULSETOP_BACKFILL', 'as --backfill'],
	['PULSETOP_STORE', 'as --store of serve; may hold the password'],
	['PULSETOP_STORE_PASSWORD', 'password of the database of --store'],
	['HTTPS_PROXY, HTTP_PROXY, ALL_PROXY', 'proxy to the service and to nodes'],
	['NO_PROXY', 'hosts that are connected to without the proxy'],
	['NO_COLOR', 'as --no-color'],
];
