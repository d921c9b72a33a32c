// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// Tokens that do not behave, for tests of the venue. Whoever holds one can give itself more.
abstract contract OddToken {
	mapping(address holder => uint256) public balanceOf;

	function mint(address to, uint256 value) external {
		balanceOf[to] += value;
	}

	function _move(address from, address to, uint256 value) internal {
		balanceOf[from] -= value;
		balanceOf[to] += value;
	}
}

/// Answers nothing, as some old tokens do.
contract SilentToken is OddToken {
	function approve(address, uint256) external {}

	function transfer(address to, uint256 value) external {
		_move(msg.sender, to, value);
	}

	function transferFrom(address from, address to, uint256 value) external {
		_move(from, to, value);
	}
}

/// Moves nothing and answers false.
contract FalseToken is OddToken {
	function approve(address, uint256) external pure returns (bool) {
		return true;
	}

	function transfer(address, uint256) external pure returns (bool) {
		return false;
	}

	function transferFrom(address, address, uint256) external pure returns (bool) {
		return false;
	}
}

/// Calls somebody in the middle of each transfer.
contract CallingToken is OddToken {
	address private _whom;
	bytes private _what;

	function aim(address whom, bytes calldata what) external {
		(_whom, _what) = (whom, what);
	}

	function approve(address, uint256) external pure returns (bool) {
		return true;
	}

	function transfer(address to, uint256 value) external returns (bool) {
		_call();
		_move(msg.sender, to, value);
		return true;
	}

	function transferFrom(address from, address to, uint256 value) external returns (bool) {
		_call();
		_move(from, to, value);
		return true;
	}

	function _call() private {
		(bool ok, bytes memory answer) = _whom.call(_what);
		if (!ok) {
			assembly ("memory-safe") {
				revert(add(answer, 32), mload(answer))
			}
		}
	}
}
