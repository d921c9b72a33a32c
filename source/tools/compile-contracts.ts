import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {fileURLToPath} from 'node:url';

const CONTRACTS = new URL('../service/chain/contracts/', import.meta.url);
const ARTIFACTS = new URL('../service/chain/artifacts.generated.ts', import.meta.url);
const TRIAL_CONTRACTS = new URL('../service/follow/evm/contracts/', import.meta.url);
const TRIAL = new URL('../service/follow/evm/trade-trial.generated.ts', import.meta.url);

/** What of the compiler's answer is used. */
interface Output {
	readonly errors?: readonly {readonly severity: string; readonly formattedMessage: string}[];
	readonly contracts?: CompiledFiles;
}

/** Contracts by file and name. */
type CompiledFiles = Readonly<Record<string, Readonly<Record<string, CompiledContract>>>>;

/** A contract with the outputs that were asked for. */
interface CompiledContract {
	readonly abi: readonly unknown[];
	readonly evm: {readonly bytecode: {readonly object: string}; readonly deployedBytecode: {readonly object: string}};
	readonly storageLayout: StorageLayout;
}

/** Where a contract keeps its variables, as the compiler says it. */
interface StorageLayout {
	readonly storage: readonly StoredVariable[];
	readonly types: Readonly<Record<string, {readonly members?: readonly StoredVariable[]}>>;
}

interface StoredVariable {
	readonly label: string;
	/** Decimal digits; of a member, counted from the slot of its whole. */
	readonly slot: string;
	/** In bytes from the lowest one of the slot. */
	readonly offset: number;
	readonly type: string;
}

/**
 * Compiles every contract of a folder.
 * @param outputs what to make, as solc's `outputSelection` has it
 * @param more further sources by file name
 * @param folder default service/chain/contracts
 * @throws Error with the compiler's own words when a source does not compile or compiles with a warning
 */
export function compile(
	outputs: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>,
	more: Readonly<Record<string, string>> = {},
	folder: URL = CONTRACTS,
): CompiledFiles {
	const files = readdirSync(folder)
		.filter(name => name.endsWith('.sol'))
		.sort();
	const own = files.map(name => [name, readFileSync(new URL(name, folder), 'utf8')] as const);
	const input = {
		language: 'Solidity',
		sources: Object.fromEntries([...own, ...Object.entries(more)].map(([name, content]) => [name, {content}])),
		settings: {
			evmVersion: 'prague',
			optimizer: {enabled: true, runs: 200},
			// A hash of the sources in the code would move every CREATE2 address with each edited comment.
			metadata: {bytecodeHash: 'none', appendCBOR: false},
			outputSelection: outputs,
		},
	};
	// solc is a compiler in wasm without types; it is a tool only, since importing it adds a process listener.
	const solc = createRequire(import.meta.url)('solc') as {compile(input: string): string};
	const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
	if (output.errors?.length) throw new Error(output.errors.map(error => error.formattedMessage).join('\n'));
	return output.contracts ?? {};
}

/**
 * Compiles every contract of service/chain/contracts and gives the text of `artifacts.generated.ts`: for each contract
 * its ABI, its init code and its runtime code. The same sources give the same text on every machine.
 * @throws Error with the compiler's own words when a source does not compile or compiles with a warning
 */
export function compileContracts(): string {
	const files = compile({'*': {'*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object']}});
	const found = Object.values(files).flatMap(file => Object.entries(file));
	const deployable = found
		.filter(([, contract]) => contract.evm.bytecode.object !== '' && contract.abi.length > 0)
		.filter(([name]) => name !== 'SafeToken')
		.sort(([a], [b]) => (a < b ? -1 : 1));
	return [
		'// Made by source/tools/compile-contracts.ts from source/service/chain/contracts. Do not edit.',
		...deployable.map(([name, contract]) => artifactText(name, contract)),
		'',
	]
		.join('\n\n')
		.trimEnd()
		.concat('\n');
}

function artifactText(name: string, contract: CompiledContract): string {
	const {bytecode, deployedBytecode} = contract.evm;
	const abi = contract.abi.map(item => `\t\t${JSON.stringify(item)},`).join('\n');
	return [
		`export const ${name} = {`,
		`\tabi: [\n${abi}\n\t],`,
		`\tinit: '0x${bytecode.object}',`,
		`\truntime: '0x${deployedBytecode.object}',`,
		'} as const;',
	].join('\n');
}

/**
 * The text of `trade-trial.generated.ts`: the runtime code of the contract that tries tokens of followed chains. A file of its own, so
 * that following chains does not load the contracts of the practice chains.
 * @throws Error with the compiler's own words when the source does not compile or compiles with a warning
 */
export function compileTradeTrial(): string {
	const files = compile({'*': {'*': ['evm.deployedBytecode.object']}}, {}, TRIAL_CONTRACTS);
	const {object} = files['trade-trial.sol']!['TradeTrial']!.evm.deployedBytecode;
	return [
		'// Made by source/tools/compile-contracts.ts from source/service/follow/evm/contracts. Do not edit.',
		`export const TRADE_TRIAL = '0x${object}';`,
		'',
	].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	writeFileSync(ARTIFACTS, compileContracts());
	writeFileSync(TRIAL, compileTradeTrial());
	console.log(
		'source/service/chain/artifacts.generated.ts and source/service/follow/evm/trade-trial.generated.ts written',
	);
}
