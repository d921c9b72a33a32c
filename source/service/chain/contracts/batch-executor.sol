// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "./erc20.sol";

/// Runs a batch of calls that an account's owner has signed, in the name of that account. It is the code an account
/// delegates to (EIP-7702), so `address(this)` is the account itself and storage is the account's own.
contract BatchExecutor {
	struct Call {
		address to;
		uint256 value;
		bytes data;
	}

	/// Every delegating account has its own storage, in which other delegates may have written before us:
	/// keccak256(abi.encode(uint256(keccak256("service.batch-executor.lanes")) - 1)) & ~bytes32(uint256(0xff)), as ERC-7201 says.
	bytes32 private constant LANES_SLOT = 0x66eaa17fdf11ab13b13fa92ae754f897f3d36f812a27c729735432e8f5d3d100;
	bytes32 private constant CALL_TYPEHASH = keccak256("Call(address to,uint256 value,bytes data)");
	bytes32 private constant BATCH_TYPEHASH = keccak256(
		"Batch(Call[] calls,uint256 nonce,uint256 deadline,address gasToken,uint256 minBalance)Call(address to,uint256 value,bytes data)"
	);
	bytes32 private constant DOMAIN_TYPEHASH =
		keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
	bytes32 private constant NAME_HASH = keccak256("ServiceBatchExecutor");
	bytes32 private constant VERSION_HASH = keccak256("1");
	uint256 private constant MAX_CALLS = 4;
	uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

	event BatchExecuted(uint256 indexed nonce, address indexed sponsor, uint256 calls);

	error InsufficientBalance(address token, uint256 have, uint256 need);
	error Expired(uint256 deadline, uint256 now_);
	error TooManyCalls(uint256 calls);
	error BadNonce(uint192 lane, uint64 expected, uint64 given);
	error BadSignature();
	error CallFailed(uint256 index, bytes reason);

	struct Lanes {
		mapping(uint192 lane => uint64 sequence) next;
	}

	/// A delegated account must still be able to receive the native coin.
	receive() external payable {}

	/// Runs the calls in order, all or none.
	/// @param nonce lane << 64 | sequence; a lane starts at 0 and each success moves it on by one
	/// @param deadline the last Unix second in which the batch may run
	/// @param minBalance what the account must hold of gasToken; checked first, since it is the cheapest way to fail
	/// @param signature 65 bytes r, s, v over the EIP-712 Batch with verifyingContract = this account
	function execute(
		Call[] calldata calls,
		uint256 nonce,
		uint256 deadline,
		address gasToken,
		uint256 minBalance,
		bytes calldata signature
	) external {
		uint256 have = IERC20(gasToken).balanceOf(address(this));
		if (have < minBalance) revert InsufficientBalance(gasToken, have, minBalance);
		if (block.timestamp > deadline) revert Expired(deadline, block.timestamp);
		if (calls.length > MAX_CALLS) revert TooManyCalls(calls.length);

		_checkSequence(nonce);
		if (!_signedBySelf(_digest(calls, nonce, deadline, gasToken, minBalance), signature)) revert BadSignature();
		// Before the calls: a call that comes back here finds the lane moved on.
		_lanes().next[uint192(nonce >> 64)] = uint64(nonce) + 1;
		_run(calls);
		emit BatchExecuted(nonce, msg.sender, calls.length);
	}

	/// The sequence that the next batch of a lane must carry.
	function nextSequence(uint192 lane) external view returns (uint64) {
		return _lanes().next[lane];
	}

	/// The domain as ERC-5267 gives it.
	function eip712Domain()
		external
		view
		returns (bytes1, string memory, string memory, uint256, address, bytes32, uint256[] memory)
	{
		return (0x0f, "ServiceBatchExecutor", "1", block.chainid, address(this), bytes32(0), new uint256[](0));
	}

	function _checkSequence(uint256 nonce) private view {
		uint192 lane = uint192(nonce >> 64);
		uint64 expected = _lanes().next[lane];
		if (uint64(nonce) != expected) revert BadNonce(lane, expected, uint64(nonce));
	}

	function _run(Call[] calldata calls) private {
		for (uint256 i = 0; i < calls.length; i++) {
			(bool ok, bytes memory reason) = calls[i].to.call{value: calls[i].value}(calls[i].data);
			if (!ok) revert CallFailed(i, reason);
		}
	}

	function _signedBySelf(bytes32 digest, bytes calldata signature) internal view virtual returns (bool) {
		return _recover(digest, signature) == address(this);
	}

	/// Zero when the signature is none: wrong length, high s (its twin would be a second valid form), wrong v.
	function _recover(bytes32 digest, bytes calldata signature) internal pure returns (address) {
		if (signature.length != 65) return address(0);
		bytes32 r = bytes32(signature[0:32]);
		bytes32 s = bytes32(signature[32:64]);
		uint8 v = uint8(signature[64]);
		if (uint256(s) > HALF_ORDER) return address(0);
		if (v < 27) v += 27;
		return ecrecover(digest, v, r, s);
	}

	/// The domain is computed each time: this code is shared by every account, so nothing may be cached in it.
	function _digest(
		Call[] calldata calls,
		uint256 nonce,
		uint256 deadline,
		address gasToken,
		uint256 minBalance
	) internal view returns (bytes32) {
		bytes32[] memory hashes = new bytes32[](calls.length);
		for (uint256 i = 0; i < calls.length; i++) {
			hashes[i] = keccak256(abi.encode(CALL_TYPEHASH, calls[i].to, calls[i].value, keccak256(calls[i].data)));
		}
		bytes32 domain = keccak256(abi.encode(DOMAIN_TYPEHASH, NAME_HASH, VERSION_HASH, block.chainid, address(this)));
		bytes32 batch = keccak256(
			abi.encode(BATCH_TYPEHASH, keccak256(abi.encodePacked(hashes)), nonce, deadline, gasToken, minBalance)
		);
		return keccak256(abi.encodePacked(hex"1901", domain, batch));
	}

	function _lanes() private pure returns (Lanes storage lanes) {
		assembly ("memory-safe") {
			lanes.slot := LANES_SLOT
		}
	}
}
