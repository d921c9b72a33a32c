// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20, SafeToken} from "./erc20.sol";

/// A pool of two tokens, constant product, 0.3 % fee. What lies in it is its liquidity: whoever sends tokens gives them.
contract Amm {
	using SafeToken for IERC20;

	uint256 private constant FEE_PER_MILLE = 3;
	address public immutable token0;
	address public immutable token1;

	event Swap(address indexed sender, address indexed to, address tokenIn, uint256 amountIn, uint256 amountOut);

	error NotInPool(address token);
	error TooLittleOut(uint256 amountOut, uint256 minAmountOut);

	constructor(address token0_, address token1_) {
		token0 = token0_;
		token1 = token1_;
	}

	/// The other token of the pool.
	function counterpart(address token) public view returns (address) {
		if (token == token0) return token1;
		if (token == token1) return token0;
		revert NotInPool(token);
	}

	/// What a swap would give now.
	function amountOut(address tokenIn, uint256 amountIn) public view returns (uint256) {
		uint256 reserveIn = IERC20(tokenIn).balanceOf(address(this));
		uint256 reserveOut = IERC20(counterpart(tokenIn)).balanceOf(address(this));
		uint256 taken = amountIn * (1000 - FEE_PER_MILLE);
		return (reserveOut * taken) / (reserveIn * 1000 + taken);
	}

	/// Takes amountIn from the caller and pays the other token to `to`.
	function swap(address tokenIn, uint256 amountIn, uint256 minAmountOut, address to) external returns (uint256 out) {
		out = amountOut(tokenIn, amountIn);
		if (out < minAmountOut) revert TooLittleOut(out, minAmountOut);
		emit Swap(msg.sender, to, tokenIn, amountIn, out);
		IERC20(tokenIn).take(msg.sender, amountIn);
		IERC20(counterpart(tokenIn)).give(to, out);
	}
}
