// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Amm} from "./amm.sol";
import {Bridge} from "./bridge.sol";
import {IERC20, SafeToken} from "./erc20.sol";
import {MarketVenue} from "./market-venue.sol";

/// Swaps a token into the one that the bridge carries and deposits the result in the caller's name, in one call. Launches
/// of the simulated market are sold to the venue, any other token through the pool of two.
contract SwapBridge {
	using SafeToken for IERC20;

	Bridge public immutable bridge;
	Amm public immutable amm;
	MarketVenue public immutable venue;
	address private immutable usdc;

	error TooLittleOut(uint256 amountOut, uint256 minAmountOut);

	constructor(Bridge bridge_, Amm amm_, MarketVenue venue_) {
		bridge = bridge_;
		amm = amm_;
		venue = venue_;
		usdc = venue_.usdc();
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
		uint256 bridged = _swap(tokenIn, amountIn, minBridged);
		IERC20(usdc).allow(address(bridge), bridged);
		bridge.bridgeTokenFor(msg.sender, intentId, usdc, bridged, destinationChainId, recipient);
	}

	/// What came of the swap, as measured: not what the pool or the token says.
	function _swap(address tokenIn, uint256 amountIn, uint256 minBridged) private returns (uint256 bridged) {
		uint256 had = IERC20(usdc).balanceOf(address(this));
		IERC20(tokenIn).take(msg.sender, amountIn);
		if (venue.hasPool(tokenIn)) {
			IERC20(tokenIn).allow(address(venue), amountIn);
			venue.sellFor(msg.sender, tokenIn, amountIn, minBridged, address(this));
		} else {
			IERC20(tokenIn).allow(address(amm), amountIn);
			amm.swap(tokenIn, amountIn, minBridged, address(this));
		}
		bridged = IERC20(usdc).balanceOf(address(this)) - had;
		if (bridged < minBridged) revert TooLittleOut(bridged, minBridged);
	}
}
