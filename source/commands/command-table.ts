import {follow} from './follow/commands.ts';
import type {Command, Flag, Grammar} from './line/command.ts';
import {BACKFILL, FOLLOW, FORMAT, RATE, SEED} from './line/common-flags.ts';
import {UsageError} from './line/usage-error.ts';
import {market} from './prediction/commands.ts';
import {buy, positions, sell} from './trade/commands.ts';
import {bridge, perp, wallet} from './trading/commands.ts';
import {webhook} from './webhook/commands.ts';

const VIEW: Flag = {
	name: 'view',
	value: 'VIEW',
	choices: ['new', 'bonding', 'bonded', 'trending'],
	repeats: true,
	help: 'Only this view; may be repeated. The default is all but trending, which not every service has.',
};
/** The flags of every command. */
const GLOBAL_FLAGS: readonly Flag[] = [
	{
		name: 'base-url',
		value: 'URL',
		repeats: true,
		help: 'URL of the service; without one a built-in service with a simulated market is started. May be repeated, for replicas of one service.',
	},
	{
		name: 'stream-url',
		value: 'URL',
		repeats: true,
		help: "URL of the service's websocket, if it is on another host; as often as --base-url, in the same order.",
	},
	{
		name: 'api-key',
		value: 'KEY',
		help: 'API key; PULSETOP_API_KEY keeps it out of the process list.',
	},
	{name: 'config', value: 'FILE', help: 'Read this configuration file.'},
	{name: 'data-dir', value: 'DIR', help: 'Directory for pins, hides, journals and the keystore.'},
	{name: 'ca-file', value: 'FILE', help: 'Trust the certificates in this file (PEM), too.'},
	{name: 'no-color', help: 'No colours.'},
	{name: 'ascii', help: 'Use only ASCII for lines and marks.'},
	{name: 'read-only', help: 'Refuse everything that moves money or changes anything at the service.'},
	{name: 'json', help: 'Print JSON, errors too.'},
	{name: 'version', short: 'V', help: 'Print the version.'},
	{name: 'help', short: 'h', help: 'Print help, for a command if one is named.'},
];

const monitor: Command = {
	name: 'monitor',
	summary: 'the live monitor (what runs when no command is named)',
	details:
		'Without a terminal to draw on it prints the three views once, as `pulsetop feed` does.\n' +
		'An address of a node may hold a key: PULSETOP_FOLLOW keeps it out of the process list.',
	flags: [
		{
			name: 'theme',
			value: 'NAME',
			choices: ['auto', 'dark', 'light', 'colorblind', 'contrast'],
			help: 'Colours.',
		},
		{
			name: 'columns',
			value: 'LIST',
			help: 'Columns to show, from left to right: any of new, bonding, bonded, trending, with commas between.',
		},
		{name: 'plain-ui', help: 'Lines of text instead of a screen, for screen readers; commands are typed as words.'},
		FOLLOW,
		BACKFILL,
		SEED,
		RATE,
	],
	examples: [
		'pulsetop',
		'pulsetop --follow base=wss://node.example.com --backfill 1h',
		'pulsetop --base-url https://api.example.com --theme light',
	],
	run: async call => {
		if ((process.stdout.isTTY || call.flags.has('plain-ui')) && !call.flags.has('json')) {
			const parts = [import('./monitor/monitor.ts'), import('./process/small-heaps.ts'), call.readConfig()] as const;
			const [{monitor: run}, {keepHeapsSmall}, config] = await Promise.all(parts);
			keepHeapsSmall();
			return run(config, call.readConfig);
		}
		return (await import('./feed/feed.ts')).feed(call);
	},
};

const serve: Command = {
	name: 'serve',
	summary: 'the built-in service alone, for several terminals',
	details:
		'Prints `listening on http://HOST:PORT` when it is ready, and a key unless some were given.\n' +
		'Serves the API (/openapi.json), and for clients of your own that practise: GET /dev/chains (chains, contracts,\n' +
		'tokens), POST /dev/faucet (test tokens), POST /dev/rpc/{chainId} (JSON-RPC). source/docs/service.md has a whole transfer.\n' +
		'On a real chain (--rpc) the account of --rpc-key-file needs coins for gas and, on the destination, the token and\n' +
		'the approval of the bridge: pulsetop doctor --base-url URL says what is missing.',
	flags: [
		{name: 'host', value: 'HOST', help: 'Address to listen on (127.0.0.1).'},
		{name: 'port', value: 'PORT', help: 'Port to listen on (4010; 0 = any free port).'},
		FOLLOW,
		BACKFILL,
		SEED,
		RATE,
		{
			name: 'api-key',
			value: 'KEY',
			repeats: true,
			help: 'API key to accept; may be repeated. Default: a new one, printed at the start.',
		},
		{
			name: 'api-key-file',
			value: 'FILE',
			help: 'More keys to accept, one a line, in a file of mode 600: arguments can be read by every user of the machine.',
		},
		{name: 'no-auth', help: 'Require no API key.'},
		{
			name: 'allow-private-webhooks',
			help: 'Allow webhooks to private addresses; needs a loopback host.',
		},
		{
			name: 'public-url',
			value: 'URL',
			help: 'Where clients reach the service behind a proxy, https://HOST: links in responses begin with it.',
		},
		{
			name: 'credits',
			value: 'N',
			help: 'Credits per API key; a bridge execute costs one (unlimited).',
		},
		{
			name: 'rpc',
			value: 'CHAIN=URL',
			repeats: true,
			help: 'A real node in place of a practice chain: evm:8453=URL; may be repeated.',
		},
		{
			name: 'rpc-key-file',
			value: 'FILE',
			help: 'The private key of the account that pays gas and fills transfers on real chains, in a file of mode 600.',
		},
		{name: 'rpc-deploys', help: 'Deploy the contracts on real chains where they are missing.'},
		{
			name: 'store',
			value: 'URL',
			help: 'A PostgreSQL database that several services share: postgres://USER@HOST/DATABASE. Needs --api-key or --no-auth.',
		},
		{
			name: 'store-password-file',
			value: 'FILE',
			help: 'The password for --store, in a file of mode 600; or set PULSETOP_STORE_PASSWORD.',
		},
		{
			name: 'log-format',
			value: 'FORMAT',
			choices: ['text', 'json'],
			help: 'Lines of the log on stderr: text, or one JSON object each (text).',
		},
		{
			name: 'drain-seconds',
			value: 'N',
			help: 'Seconds of graceful shutdown after SIGTERM, in which clients move (5 with --store, else 0).',
		},
	],
	examples: [
		'pulsetop serve --port 4010 --api-key "$KEY"',
		'pulsetop serve --store postgres://pulsetop@db.example.com/pulsetop --store-password-file password --api-key "$KEY"',
	],
	run: async call => {
		const {flags} = call;
		const config = await call.readConfig();
		const [{serve}, {externalChains}, {serviceKeys}, {storeAddress}, {followOf}, {publicUrlOf}] = await Promise.all([
			import('./serve/serve.ts'),
			import('./serve/chains.ts'),
			import('./serve/keys.ts'),
			import('./serve/store.ts'),
			import('./service/followed.ts'),
			import('./serve/public-url.ts'),
		]);
		const apiKeys = serviceKeys(flags.all('api-key'), flags.text('api-key-file'));
		const store = storeAddress(
			{store: flags.text('store'), passwordFile: flags.text('store-password-file')},
			process.env,
		);
		if (store && apiKeys.length === 0 && !flags.has('no-auth'))
			throw new UsageError(
				'--store needs --api-key or --api-key-file',
				'Each service would make a key that the others do not accept. --no-auth does without keys, on one machine.',
			);
		const follow = followOf(config);
		if (follow && flags.all('rpc').length > 0)
			throw new UsageError(
				'--follow and --rpc exclude each other',
				'A service that follows chains moves no money: start a second one for that.',
			);
		const external = externalChains(flags.all('rpc'), {
			keyFile: flags.text('rpc-key-file'),
			deploys: flags.has('rpc-deploys'),
		});
		return serve({
			host: flags.text('host') ?? '127.0.0.1',
			port: flags.wholeNumber('port', {from: 0, to: 65_535}) ?? 4010,
			dataDir: config.dataDir,
			seed: config.embedded.seed,
			rate: config.embedded.rate,
			apiKeys,
			auth: !flags.has('no-auth'),
			allowPrivateWebhooks: flags.has('allow-private-webhooks'),
			publicUrl: publicUrlOf(flags.text('public-url')),
			credits: flags.wholeNumber('credits', {from: 0, to: 1_000_000_000}),
			chains: {external},
			follow,
			store,
			logFormat: flags.text('log-format') as 'text' | 'json' | undefined,
			drainSeconds: flags.wholeNumber('drain-seconds', {from: 0, to: 300}),
		});
	},
};

const serveSsh: Command = {
	name: 'serve-ssh',
	summary: 'the live monitor for everybody who comes by SSH, read-only',
	details:
		'ssh -p PORT HOST opens the monitor: no account, no install, a screen of one\u2019s own. One process serves all viewers.\n' +
		'A viewer reaches no money, file or program of this machine. source/docs/ssh.md has recipes.',
	flags: [
		{name: 'host', value: 'HOST', help: 'Address to listen on (127.0.0.1); another one needs --open or --viewers.'},
		{name: 'port', value: 'PORT', help: 'Port to listen on (2222; 0 = any free port).'},
		{name: 'open', help: 'Let everybody in, without a key too.'},
		{
			name: 'viewers',
			value: 'FILE',
			help: 'Let in the keys of this file, in the form of authorized_keys; read again when it changes.',
		},
		{
			name: 'host-key',
			value: 'FILE',
			help: 'The private host key, in a file of mode 600 (one in the data directory, made once).',
		},
		{name: 'title', value: 'TEXT', help: 'The name of the market on the screens, in place of its address.'},
		{name: 'max-viewers', value: 'N', help: 'Viewers at a time (100).'},
		{name: 'per-address', value: 'N', help: 'Viewers from one address (4).'},
		{name: 'max-memory', value: 'MB', help: 'Nobody comes in above so much memory of the process (1000).'},
		{name: 'idle', value: 'TIME', help: 'A visit ends without a key for this long (30m for guests, 12h for keys).'},
		{name: 'longest', value: 'TIME', help: 'A visit ends after this long (24h).'},
		FOLLOW,
		BACKFILL,
		SEED,
		RATE,
		{
			name: 'proxy-protocol',
			value: 'NETWORK',
			repeats: true,
			help: 'Balancers there say who comes (PROXY protocol), and must; may be repeated.',
		},
		{name: 'metrics', value: 'HOST:PORT', help: 'Serve /metrics (Prometheus) and /health here.'},
		{name: 'drain-seconds', value: 'N', help: 'Seconds between the signal to stop and the end of all visits (10).'},
	],
	examples: [
		'pulsetop serve-ssh --host 0.0.0.0 --viewers team.keys',
		'pulsetop serve-ssh --host 0.0.0.0 --open --title "launches of Base" --follow base=wss://base.example.com',
	],
	run: async call => {
		const {flags} = call;
		const config = await call.readConfig();
		const {serveSsh} = await import('./ssh/serve-ssh.ts');
		return serveSsh({
			config,
			host: flags.text('host') ?? '127.0.0.1',
			port: flags.wholeNumber('port', {from: 0, to: 65_535}) ?? 2222,
			isOpen: flags.has('open'),
			viewersFile: flags.text('viewers'),
			hostKeyFile: flags.text('host-key'),
			title: flags.text('title'),
			limits: {
				maxViewers: flags.wholeNumber('max-viewers', {from: 1, to: 10_000}) ?? 100,
				perAddress: flags.wholeNumber('per-address', {from: 1, to: 10_000}) ?? 4,
				maxMemory: (flags.wholeNumber('max-memory', {from: 100, to: 1_000_000}) ?? 1000) * 1e6,
				idleMs: flags.duration('idle'),
				longestMs: flags.duration('longest') ?? 86_400_000,
			},
			drainSeconds: flags.wholeNumber('drain-seconds', {from: 0, to: 300}) ?? 10,
			metrics: flags.text('metrics'),
			proxies: flags.all('proxy-protocol'),
		});
	},
};

const CHAINS: Flag = {name: 'chains', value: 'LIST', help: 'Only these chains: "solana,base" (all).'};
const LAUNCHPADS: Flag = {name: 'launchpads', value: 'LIST', help: 'Only launched there: "pumpfun,boop" (all).'};

const feed: Command = {
	name: 'feed',
	summary: 'the three views as a table, JSON or lines',
	flags: [
		VIEW,
		{name: 'filter', value: 'FILTER', help: 'Only what matches: "mcap>50k holders>=100 age<10m".'},
		CHAINS,
		LAUNCHPADS,
		{name: 'sort', value: 'FIELD', help: 'Sort by a field, and a direction after a blank: "volume_1h desc".'},
		{name: 'limit', value: 'N', help: 'Rows per view, 1 to 100 (30).'},
		FORMAT,
		{
			...FOLLOW,
			isAlone: true,
			help: 'Keep going: each change as one line of JSON. CHAIN=URL: real launches of a chain.',
		},
		BACKFILL,
		SEED,
		RATE,
	],
	examples: [
		'pulsetop feed --view new --filter "age<10m dev<5%" --sort "volume_5min desc"',
		'pulsetop feed --json | jq ".views.new.tokens[0]"',
	],
	run: async call => (await import('./feed/feed.ts')).feed(call),
};

const FOR: Flag = {name: 'for', value: 'TIME', help: 'End after this long: 90s, 10m, 1h30m.'};

const watch: Command = {
	name: 'watch',
	summary: 'alert rules without a screen: a line for each match',
	details:
		'A rule is a filter line, @new, @bonding, @bonded or @trending before it for one column. What matches already is no news. The bell, the ' +
		'message of the desktop and the command of alerts are those of the configuration. With --json each line is JSON.',
	flags: [
		{
			name: 'rule',
			value: 'RULE',
			repeats: true,
			help: 'Alert rule, besides those of the configuration; may be repeated.',
		},
		{name: 'once', help: 'End with the first match; exit 1 if the time is over before.'},
		FOR,
		{name: 'recording', value: 'FILE', help: 'Try the rules on a recording, at once; no command runs.'},
		FOLLOW,
		BACKFILL,
		SEED,
		RATE,
	],
	examples: [
		'pulsetop watch --rule "@bonded mcap>100k dev<5%" --rule "kw:elon age<5m"',
		'pulsetop watch --rule "@new holders>200" --once --for 1h --json | jq -r .token.address',
	],
	run: async call => (await import('./watch/watch.ts')).watch(call),
};

const record: Command = {
	name: 'record',
	summary: 'record the feed to a file for replay',
	operands: 'FILE',
	details: 'It goes on until it is interrupted. The file is whole up to its last second whatever ends the program.',
	flags: [
		VIEW,
		{name: 'filter', value: 'FILTER', help: 'Only what matches: "mcap>50k holders>=100 age<10m".'},
		CHAINS,
		LAUNCHPADS,
		{name: 'sort', value: 'FIELD', help: 'Which tokens come first, where there are more than fit in a view.'},
		{name: 'limit', value: 'N', help: 'Rows per view, 1 to 100 (100).'},
		FOR,
		{name: 'force', help: 'Write over a file that is there already.'},
		FOLLOW,
		BACKFILL,
		SEED,
		RATE,
	],
	examples: ['pulsetop record launches.pulse --for 10m'],
	run: async call => (await import('./recording/record.ts')).record(call),
};

const replay: Command = {
	name: 'replay',
	summary: 'play a recording in the monitor',
	operands: 'FILE',
	details: 'Without a terminal to draw on it prints the views once, as they are where it begins.',
	flags: [
		{name: 'speed', value: 'X', help: 'Playback speed, 0.1 to 1000 (1).'},
		{name: 'from', value: 'TIME', help: 'Start offset: 90s, 10m, 1h30m.'},
		{name: 'loop', help: 'Start again at the end.'},
		...monitor.flags.filter(({name}) => name === 'theme' || name === 'plain-ui'),
		FORMAT,
	],
	examples: ['pulsetop replay launches.pulse --speed 10', 'pulsetop replay launches.pulse --from 5m --json'],
	run: async call => (await import('./recording/replay.ts')).replay(call),
};

const CHAIN: Flag = {
	name: 'chain',
	value: 'CHAIN',
	help: 'The chain, by id or name: evm:8453, base; needed for EVM addresses.',
};

const token: Command = {
	name: 'token',
	summary: 'all data of a token',
	operands: 'ADDRESS...',
	details: 'With - the addresses are read from stdin.',
	flags: [CHAIN, FORMAT, FOLLOW, BACKFILL, SEED, RATE],
	examples: ['pulsetop token 0x4ed4e862860bed51a9570b96d89af5e1b0efefed --chain base --json'],
	run: async call => (await import('./lookups/token.ts')).token(call),
};

const labels: Command = {
	name: 'labels',
	summary: 'labels of wallets: snipers, insiders, who funded them',
	operands: 'ADDRESS...',
	details: 'With - the addresses are read from stdin.',
	flags: [
		{name: 'token', value: 'ADDRESS', help: 'Labels relative to this token.'},
		FORMAT,
		FOLLOW,
		BACKFILL,
		SEED,
		RATE,
	],
	examples: ['pulsetop labels - --token "$TOKEN" --format csv < wallets.txt'],
	run: async call => (await import('./lookups/labels.ts')).labels(call),
};

const sparkline: Command = {
	name: 'sparkline',
	summary: 'the price line of a token or an asset',
	operands: 'ASSET',
	flags: [
		CHAIN,
		{
			name: 'time-frame',
			value: 'TIME',
			choices: ['5min', '15min', '1h', '4h', '6h', '12h', '24h', '7d', '30d'],
			help: 'How far back (24h).',
		},
		FORMAT,
		FOLLOW,
		BACKFILL,
		SEED,
		RATE,
	],
	examples: ['pulsetop sparkline "$TOKEN" --chain base --time-frame 6h'],
	run: async call => (await import('./lookups/sparkline.ts')).sparkline(call),
};

const config: Command = {
	name: 'config',
	summary: 'show, check and create the configuration',
	flags: [],
	subcommands: [
		{
			name: 'path',
			summary: 'path of the configuration file',
			flags: [],
			run: async call => (await import('./config/config.ts')).configPathCommand(call),
		},
		{
			name: 'show',
			summary: 'effective settings; API keys are masked',
			flags: [{name: 'origin', help: 'Show where each value comes from.'}],
			run: async call => (await import('./config/config.ts')).configShow(call),
		},
		{
			name: 'validate',
			summary: 'check the configuration file; problems with their lines',
			operands: '[FILE]',
			flags: [],
			run: async call => (await import('./config/config.ts')).configValidate(call),
		},
		{
			name: 'template',
			summary: 'print a configuration file with settings and their defaults',
			flags: [{name: 'all', help: 'Every setting, and the names of the keys.'}],
			examples: ['pulsetop config template > "$(pulsetop config path)"', 'pulsetop config template --all'],
			run: async call => (await import('./config/config.ts')).configTemplate(call),
		},
	],
};

const doctor: Command = {
	name: 'doctor',
	summary: 'check terminal, service and files, and suggest fixes',
	details:
		'The report can be pasted: it names no address, no key and no home directory. Ends with 1 when something is bad.',
	flags: [FOLLOW, BACKFILL, SEED, RATE],
	run: async call => (await import('./doctor/doctor.ts')).doctor(call),
};

const schema: Command = {
	name: 'schema',
	summary: 'the JSON Schema of what a command prints',
	operands: '[NAME]',
	details: 'Without a name it lists those that there are.',
	flags: [],
	examples: ['pulsetop schema feed'],
	run: async call => (await import('./reference/schema.ts')).schema(call),
};

const completion: Command = {
	name: 'completion',
	summary: 'a completion script for bash, zsh or fish',
	operands: 'SHELL',
	flags: [],
	examples: ['pulsetop completion bash > ~/.local/share/bash-completion/completions/pulsetop'],
	run: async call => (await import('./reference/completion.ts')).completion(call),
};

const man: Command = {
	name: 'man',
	summary: 'the manual page',
	flags: [],
	examples: ['pulsetop man | man -l -'],
	run: async call => (await import('./reference/man.ts')).man(call),
};

/** The whole command line: commands and flags, their help, their code. */
export const COMMAND_LINE: Grammar = {
	commands: [
		monitor,
		serve,
		serveSsh,
		feed,
		watch,
		record,
		replay,
		token,
		labels,
		sparkline,
		buy,
		sell,
		positions,
		bridge,
		perp,
		market,
		webhook,
		follow,
		wallet,
		config,
		doctor,
		schema,
		completion,
		man,
	],
	globalFlags: GLOBAL_FLAGS,
	defaultCommand: monitor,
};
