import type {Address, Hex, TransactionSerializableEIP1559} from 'viem';
import type {PerpAction} from '../contract/perp.ts';
import type {Provider} from '../contract/provider.ts';
import type {AuthorizationRequest, Batch} from '../contract/typed-data.ts';
import {PulsetopError} from '../errors.ts';
import {steadyNow} from '../steady-clock.ts';
import type {Caps, Spend} from './caps.ts';
import type {Journal} from './journal.ts';
import type {JournalKind} from './journal-labels.ts';
import type {Keystore, OpenedKey} from './keystore.ts';
import {loadLateCode} from './late-code.ts';
import type {WalletMode} from './practice.ts';
import {type RecoverableSignature, signatureBytes, signDigest} from './secp256k1.ts';

/** Something was to be signed while the wallet is locked. */
class WalletLocked extends PulsetopError {
	readonly code = 'wallet-locked';

	constructor(why: string, next: 'unlock' | 'restart' = 'unlock') {
		super('The wallet is locked', {why, next});
	}
}

/** Something was to be signed that this wallet does not sign. */
class WillNotSign extends PulsetopError {
	readonly code = 'will-not-sign';

	constructor(why: string) {
		super('The wallet does not sign this', {why, next: 'fix-input', advice: 'Nothing was signed; begin again.'});
	}
}

/** The texts that are signed by EIP-191: those of spec 5 and no others. */
export type PersonalRequest =
	| {readonly kind: 'perp-payload'; readonly action: PerpAction; readonly timestampMs: number}
	| {readonly kind: 'perp-execute'; readonly timestampMs: number; readonly payloadStr: string};

/** An EIP-7702 authorization as it travels (spec 4.4). */
export type SignedAuthorization = AuthorizationRequest & RecoverableSignature & {readonly address: Address};

/** A transaction of the wallet. Value and highest fee are counted against the caps before it is signed. */
export interface TransactionRequest {
	readonly chainId: number;
	readonly to: Address;
	readonly data: Hex;
	readonly valueRaw: bigint;
	readonly nonce: number;
	readonly gas: bigint;
	readonly maxFeePerGas: bigint;
	readonly maxPriorityFeePerGas: bigint;
}

export interface SignerState {
	readonly name: string;
	readonly mode: WalletMode;
	readonly status: 'locked' | 'unlocked' | 'signing-locked';
	/** Known once it was unlocked. */
	readonly address?: Address;
	/** When it locks by itself, Unix ms. */
	readonly unlockedUntilMs?: number;
	/** Why it is locked, in words. */
	readonly why?: string;
}

/** One wallet. It signs only requests whose meaning it knows; there is no way to sign bytes. */
export interface Signer {
	readonly state: SignerState;
	subscribe(listener: () => void): () => void;
	/** @param passphrase wiped before this returns. @throws as Keystore.open; WalletLocked after lockSigning */
	unlock(passphrase?: Uint8Array): Promise<Address>;
	lock(why?: string): void;
	/** @throws WalletLocked */
	assertUnlocked(): void;
	/** The person is there: an unlocked wallet stays so for another while. */
	keepUnlocked(): void;
	/** Locks until restart: unlock throws from now on. */
	lockSigning(): void;
	/** Counts the spend, then signs. @throws WalletLocked, WillNotSign, CapExceeded */
	signBatch(batch: Batch, spend: Spend, provider?: Provider): Promise<{signature: Hex; digest: Hex}>;
	/** @throws WalletLocked; WillNotSign for chain 0 */
	signAuthorization(request: AuthorizationRequest): Promise<SignedAuthorization>;
	signPersonal(request: PersonalRequest): Promise<{signature: Hex; text: string}>;
	/** Signs the typed data that makes the wallet's smart account, without a payment (contract gaps 6.2). */
	signDeploy(factory: string): Promise<{signature: Hex; digest: Hex}>;
	/** Counts value and highest fee, then signs an EIP-1559 transaction. @throws WalletLocked, CapExceeded */
	signTransaction(request: TransactionRequest, spendId: string): Promise<{raw: Hex; hash: Hex}>;
}

export interface SignerOptions {
	readonly keystore: Keystore;
	readonly name: string;
	readonly caps: Caps;
	/** Gets a record of every unlock and lock, and of every signature before it is made. */
	readonly journal?: Journal;
	/** How long it stays unlocked without a signature and without a key of its user. */
	readonly autoLockMs?: number;
	readonly nowMs?: () => number;
}

const AUTO_LOCK_MS = 5 * 60_000;

/** Makes the signer of one wallet, locked. */
export function createSigner(options: SignerOptions): Signer {
	return new KeystoreSigner(options);
}

class KeystoreSigner implements Signer {
	readonly #keystore: Keystore;
	readonly #caps: Caps;
	readonly #journal: Journal | undefined;
	readonly #autoLockMs: number;
	readonly #nowMs: () => number;
	readonly #listeners = new Set<() => void>();
	#state: SignerState;
	#key: OpenedKey | undefined;
	#timer: NodeJS.Timeout | undefined;

	constructor({keystore, name, caps, journal, autoLockMs = AUTO_LOCK_MS, nowMs = steadyNow}: SignerOptions) {
		this.#keystore = keystore;
		this.#caps = caps;
		this.#journal = journal;
		this.#autoLockMs = autoLockMs;
		this.#nowMs = nowMs;
		this.#state = {name, mode: keystore.mode, status: 'locked', why: 'it was not unlocked yet'};
	}

	get state(): SignerState {
		return this.#state;
	}

	subscribe(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	async unlock(passphrase?: Uint8Array): Promise<Address> {
		try {
			this.#assertNotSigningLocked();
			const key = await this.#keystore.open(this.#state.name, passphrase);
			await loadLateCode().catch(error => {
				key.wipe();
				throw error;
			});
			// Signing may have been locked while the key was derived.
			if (this.#state.status === 'signing-locked') {
				key.wipe();
				this.#assertNotSigningLocked();
			}
			this.#key?.wipe();
			this.#key = key;
			this.#stayUnlocked(key.address);
			this.#log('wallet.unlocked', {address: key.address});
			return key.address;
		} finally {
			passphrase?.fill(0);
		}
	}

	lock(why = 'it was locked by hand'): void {
		if (this.#state.status !== 'signing-locked') this.#close('locked', why);
	}

	assertUnlocked(): void {
		this.#unlocked();
	}

	keepUnlocked(): void {
		if (this.#isOpen()) this.#stayUnlocked(this.#key!.address);
	}

	lockSigning(): void {
		this.#close('signing-locked', 'signing is locked until you restart pulsetop');
	}

	async signBatch(batch: Batch, spend: Spend, provider?: Provider): Promise<{signature: Hex; digest: Hex}> {
		const {batchDigest} = await import('../contract/typed-data.ts');
		const {address} = this.#unlocked();
		if (batch.authority.toLowerCase() !== address.toLowerCase()) {
			throw new WillNotSign(`the batch is for ${batch.authority}, this wallet is ${address}`);
		}
		if (batch.originChainId !== spend.chainId || batch.gasToken.toLowerCase() !== spend.token.toLowerCase()) {
			throw new WillNotSign('what is counted against the limits is not what the batch spends');
		}
		// A sale is not counted in units, so its dollars must be.
		if (spend.trade && !(spend.trade.usdMicro !== undefined && spend.trade.usdMicro > 0n)) {
			throw new WillNotSign('a trade whose value is not known cannot be counted against the limits');
		}
		const digest = provider === undefined ? batchDigest(batch) : batchDigest(batch, provider);
		this.#caps.reserve(spend);
		return {signature: signatureBytes(this.#sign(digest, 'batch')), digest};
	}

	async signAuthorization(request: AuthorizationRequest): Promise<SignedAuthorization> {
		const {authorizationDigest} = await import('../contract/typed-data.ts');
		if (!Number.isSafeInteger(request.chainId) || request.chainId <= 0) {
			throw new WillNotSign('an authorization for chain 0 would hold on every chain');
		}
		const {chainId, address, nonce} = request;
		return {chainId, address: address as Address, nonce, ...this.#sign(authorizationDigest(request), 'authorization')};
	}

	async signPersonal(request: PersonalRequest): Promise<{signature: Hex; text: string}> {
		const {messageDigest, perpExecuteText, perpPayloadText} = await import('../contract/typed-data.ts');
		const text =
			request.kind === 'perp-payload'
				? perpPayloadText(request.action, request.timestampMs)
				: perpExecuteText(request.timestampMs, request.payloadStr);
		return {signature: signatureBytes(this.#sign(messageDigest(text), request.kind)), text};
	}

	async signDeploy(factory: string): Promise<{signature: Hex; digest: Hex}> {
		const {deployDigest} = await import('../contract/typed-data.ts');
		const digest = deployDigest(factory);
		return {signature: signatureBytes(this.#sign(digest, 'deploy')), digest};
	}

	async signTransaction(request: TransactionRequest, spendId: string): Promise<{raw: Hex; hash: Hex}> {
		const {keccak256, serializeTransaction} = await import('viem/utils');
		const {chainId, to, data, valueRaw, nonce, gas, maxFeePerGas, maxPriorityFeePerGas} = request;
		if (chainId <= 0) throw new WillNotSign('a transaction needs a chain');
		this.#unlocked();
		const transaction: TransactionSerializableEIP1559 = {
			type: 'eip1559',
			chainId,
			// The address may have a wrong checksum; the bytes are the same.
			to: to.toLowerCase() as Address,
			data,
			value: valueRaw,
			nonce,
			gas,
			maxFeePerGas,
			maxPriorityFeePerGas,
		};
		const amountRaw = valueRaw + gas * maxFeePerGas;
		this.#caps.reserve({
			id: spendId,
			chainId: `evm:${chainId}`,
			token: 'native',
			symbol: 'native coin',
			amountRaw,
			decimals: 18,
		});
		const signature = this.#sign(keccak256(serializeTransaction(transaction)), 'transaction');
		const raw = serializeTransaction(transaction, signature);
		return {raw, hash: keccak256(raw)};
	}

	/** The one place where a private key is decrypted in memory, until the call ends. The decryption key stays until the lock. */
	#sign(digest: Hex, what: string): RecoverableSignature {
		const key = this.#unlocked();
		// The journal record comes before the signature: every signature has one.
		this.#log('wallet.signed', {what, digest});
		const signature = key.withSecret(secret => signDigest(digest, secret));
		this.#stayUnlocked(key.address);
		return signature;
	}

	#unlocked(): OpenedKey {
		this.#assertNotSigningLocked();
		if (!this.#isOpen()) throw new WalletLocked(this.#state.why ?? 'unlock it first');
		return this.#key!;
	}

	#isOpen(): boolean {
		// The timer may be late, after the machine slept.
		if (this.#key && this.#nowMs() >= (this.#state.unlockedUntilMs ?? 0)) this.#autoLock();
		return this.#key !== undefined;
	}

	#assertNotSigningLocked(): void {
		if (this.#state.status === 'signing-locked') throw new WalletLocked(this.#state.why!, 'restart');
	}

	#stayUnlocked(address: Address): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#autoLock(), this.#autoLockMs);
		this.#timer.unref();
		const {name, mode} = this.#state;
		this.#become({name, mode, address, status: 'unlocked', unlockedUntilMs: this.#nowMs() + this.#autoLockMs});
	}

	#autoLock(): void {
		this.#close('locked', `nothing was typed or signed for ${Math.round(this.#autoLockMs / 1000)} s`);
	}

	#close(status: 'locked' | 'signing-locked', why: string): void {
		clearTimeout(this.#timer);
		const wasOpen = this.#key !== undefined;
		this.#key?.wipe();
		this.#key = undefined;
		if (status === 'signing-locked') this.#logIfPossible('wallet.killed', {why});
		else if (wasOpen) this.#logIfPossible('wallet.locked', {why});
		const {name, mode, address} = this.#state;
		this.#become({name, mode, ...(address === undefined ? {} : {address}), status, why});
	}

	#log(kind: JournalKind, data: Readonly<Record<string, unknown>>): void {
		this.#journal?.append(kind, this.#state.name, data);
	}

	/** Locking must not fail because the disk is full. */
	#logIfPossible(kind: JournalKind, data: Readonly<Record<string, unknown>>): void {
		try {
			this.#log(kind, data);
		} catch {
			// The key must be wiped; the journal says by itself when it cannot be written next time.
		}
	}

	#become(state: SignerState): void {
		this.#state = state;
		for (const listener of [...this.#listeners]) listener();
	}
}
