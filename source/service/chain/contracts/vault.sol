// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20, SafeToken} from "./erc20.sol";

/// A smart account that keeps tokens for one owner.
contract Vault {
	using SafeToken for IERC20;

	address public immutable owner;

	event Withdrawn(address indexed token, address indexed to, uint256 amount);

	error NotOwner(address caller);

	constructor(address owner_) {
		owner = owner_;
	}

	function withdraw(address token, address to, uint256 amount) external {
		if (msg.sender != owner) revert NotOwner(msg.sender);
		emit Withdrawn(token, to, amount);
		IERC20(token).give(to, amount);
	}
}

/// Makes vaults at addresses that follow from their owner, on the owner's signed word; anybody may send it.
contract VaultFactory {
	bytes32 private constant DOMAIN_TYPEHASH =
		keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
	bytes32 private constant CREATE_TYPEHASH =
		keccak256("CreateProxy(address paymentToken,uint256 payment,address paymentReceiver)");
	bytes32 private constant NAME_HASH = keccak256("ServiceVaultFactory");
	uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

	event VaultCreated(address indexed owner, address vault);

	error AlreadyCreated(address vault);
	error BadSignature();
	error PaymentUnsupported(uint256 payment);

	/// @param signature 65 bytes r, s, v over CreateProxy; its signer becomes the vault's owner
	function createProxy(
		address paymentToken,
		uint256 payment,
		address paymentReceiver,
		bytes calldata signature
	) external returns (address vault) {
		if (payment != 0) revert PaymentUnsupported(payment);
		bytes32 domain = keccak256(abi.encode(DOMAIN_TYPEHASH, NAME_HASH, block.chainid, address(this)));
		bytes32 message = keccak256(abi.encode(CREATE_TYPEHASH, paymentToken, payment, paymentReceiver));
		address owner = _recover(keccak256(abi.encodePacked(hex"1901", domain, message)), signature);
		if (owner == address(0)) revert BadSignature();
		vault = vaultOf(owner);
		if (vault.code.length > 0) revert AlreadyCreated(vault);
		new Vault{salt: _salt(owner)}(owner);
		emit VaultCreated(owner, vault);
	}

	/// Where an owner's vault is or will be.
	function vaultOf(address owner) public view returns (address) {
		bytes32 initCodeHash = keccak256(abi.encodePacked(type(Vault).creationCode, abi.encode(owner)));
		return address(
			uint160(uint256(keccak256(abi.encodePacked(hex"ff", address(this), _salt(owner), initCodeHash))))
		);
	}

	function _salt(address owner) private pure returns (bytes32) {
		return bytes32(uint256(uint160(owner)));
	}

	function _recover(bytes32 digest, bytes calldata signature) private pure returns (address) {
		if (signature.length != 65) return address(0);
		bytes32 r = bytes32(signature[0:32]);
		bytes32 s = bytes32(signature[32:64]);
		uint8 v = uint8(signature[64]);
		if (uint256(s) > HALF_ORDER) return address(0);
		if (v < 27) v += 27;
		return ecrecover(digest, v, r, s);
	}
}
