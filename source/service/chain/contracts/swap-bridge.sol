// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Amm} from "./amm.sol";
import {Bridge} from "./bridge.sol";
import {IERC20, SafeToken} from "./erc20.sol";

/// Swaps a token into the one that the bridge carries and deposits the result in the caller's name, in one call.
contract SwapBridge {
	using SafeToken for IERC20;

	Bridge public immutable bridge;
	Amm public immutable amm;

	constructor(Bridge bridge_, Amm amm_) {
		bridge = bridge_;
		amm = amm_;
	}

	/// @param minBridged the least amount of the bridged token to accept from the swap
	function swapAndBridge(
		bytes32 intentId,
		address tokenIn,
		uint256 amountIn,
		uint256 minBridged,
		uint256 destinationChainId,
		address recipient
	) external {
		IERC20(tokenIn).take(msg.sender, amountIn);
		IERC20(tokenIn).allow(address(amm), amountIn);
		uint256 bridged = amm.swap(tokenIn, amountIn, minBridged, address(this));
		address token = amm.counterpart(tokenIn);
		IERC20(token).allow(address(bridge), bridged);
		bridge.bridgeTokenFor(msg.sender, intentId, token, bridged, destinationChainId, recipient);
	}
}
