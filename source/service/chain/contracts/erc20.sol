// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// What the other contracts need of a token.
interface IERC20 {
	function balanceOf(address holder) external view returns (uint256);
	function transfer(address to, uint256 value) external returns (bool);
	function transferFrom(address from, address to, uint256 value) external returns (bool);
	function approve(address spender, uint256 value) external returns (bool);
}

/// Moves tokens and treats a false answer, no answer from an account without code, and a revert as failures.
library SafeToken {
	error TokenCallFailed(address token);

	function take(IERC20 token, address from, uint256 value) internal {
		_call(address(token), abi.encodeCall(IERC20.transferFrom, (from, address(this), value)));
	}

	function takeTo(IERC20 token, address from, address to, uint256 value) internal {
		_call(address(token), abi.encodeCall(IERC20.transferFrom, (from, to, value)));
	}

	function give(IERC20 token, address to, uint256 value) internal {
		_call(address(token), abi.encodeCall(IERC20.transfer, (to, value)));
	}

	function allow(IERC20 token, address spender, uint256 value) internal {
		_call(address(token), abi.encodeCall(IERC20.approve, (spender, value)));
	}

	function _call(address token, bytes memory data) private {
		(bool ok, bytes memory answer) = token.call(data);
		if (!ok) {
			// The token's own words are worth more than ours.
			assembly ("memory-safe") {
				revert(add(answer, 32), mload(answer))
			}
		}
		bool said = answer.length == 0 ? token.code.length > 0 : abi.decode(answer, (bool));
		if (!said) revert TokenCallFailed(token);
	}
}
