// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20, SafeToken} from "./erc20.sol";

/// Where launches of the simulated market are traded for USDC: one pool a token, constant product. The reserves are those
/// of the simulated market: a practice chain writes them into the storage right before a trade, and they hold for seconds.
/// Nothing here makes a pool, so on a real chain there is none.
contract MarketVenue {
	using SafeToken for IERC20;

	struct Pool {
		/// The reserves, in raw units. Those of a curve are virtual, so they are no one's balance.
		uint128 token;
		uint128 usd;
		/// What a curve can still sell before it closes; NO_CURVE for an ordinary pool.
		uint128 left;
		/// The pool's own fee in millionths of the USDC that move the price; it comes on top and is not in the reserves.
		uint32 feePpm;
		/// The last second in which the reserves hold. In a slot of its own, so that a pool is closed by one write.
		uint256 validUntil;
	}

	uint128 private constant NO_CURVE = type(uint128).max;
	uint256 private constant PPM = 1_000_000;

	address public immutable usdc;
	mapping(address token => Pool) public pools;
	bool private transient _isTrading;

	/// @param usd what went into the reserve or out of it, without the fee
	/// @param poolTokens what left the reserve or came into it
	/// @param traderTokens what the trader got or gave: with a tax another amount than the pool's
	event Trade(
		address indexed token,
		address indexed trader,
		bool isBuy,
		uint256 usd,
		uint256 fee,
		uint256 poolTokens,
		uint256 traderTokens,
		uint256 tokensAfter,
		uint256 usdAfter
	);

	error NoPool(address token);
	error NothingOut();
	error Reentered();
	error SoldOut(uint256 tokens, uint256 left);
	error Stale(address token, uint256 validUntil);
	error TooLittleOut(uint256 amountOut, uint256 minAmountOut);
	error TooMuch(uint256 amount);

	constructor(address usdc_) {
		usdc = usdc_;
	}

	/// A token that calls back finds no half-made trade.
	modifier alone() {
		if (_isTrading) revert Reentered();
		_isTrading = true;
		_;
		_isTrading = false;
	}

	/// Whether a token is traded here, with reserves of now or of before.
	function hasPool(address token) external view returns (bool) {
		return pools[token].token > 0;
	}

	/// Takes USDC from the caller and buys for `to`.
	/// @param minOut the least that `to` must get, after any tax
	/// @return out what `to` got
	function buy(address token, uint256 usd, uint256 minOut, address to) external alone returns (uint256 out) {
		Pool storage pool = _open(token);
		uint256 paid = (usd * PPM) / (PPM + pool.feePpm);
		uint256 tokens = (pool.token * paid) / (pool.usd + paid);
		if (tokens == 0) revert NothingOut();
		if (tokens > pool.left) revert SoldOut(tokens, pool.left);

		pool.token = _fit(pool.token - tokens);
		pool.usd = _fit(pool.usd + paid);
		if (pool.left != NO_CURVE) pool.left = _fit(pool.left - tokens);
		IERC20(usdc).take(msg.sender, usd);
		uint256 had = IERC20(token).balanceOf(to);
		IERC20(token).give(to, tokens);
		out = IERC20(token).balanceOf(to) - had;
		if (out < minOut) revert TooLittleOut(out, minOut);
		emit Trade(token, to, true, paid, usd - paid, tokens, out, pool.token, pool.usd);
	}

	/// Takes tokens from the caller and pays USDC to `to`.
	function sell(address token, uint256 amount, uint256 minOut, address to) external alone returns (uint256) {
		return _sell(msg.sender, token, amount, minOut, to);
	}

	/// As sell, in the name of another account: for helpers that took its tokens first.
	function sellFor(
		address trader,
		address token,
		uint256 amount,
		uint256 minOut,
		address to
	) external alone returns (uint256) {
		return _sell(trader, token, amount, minOut, to);
	}

	function _sell(
		address trader,
		address token,
		uint256 amount,
		uint256 minOut,
		address to
	) private returns (uint256 out) {
		Pool storage pool = _open(token);
		// First, since only what came is worth something: a tax may have been taken from it.
		uint256 had = IERC20(token).balanceOf(address(this));
		IERC20(token).take(msg.sender, amount);
		uint256 tokens = IERC20(token).balanceOf(address(this)) - had;

		uint256 worth = (pool.usd * tokens) / (pool.token + tokens);
		// Rounded in favour of the pool.
		uint256 fee = (worth * pool.feePpm + PPM - 1) / PPM;
		if (worth <= fee) revert NothingOut();
		out = worth - fee;
		if (out < minOut) revert TooLittleOut(out, minOut);

		pool.token = _fit(pool.token + tokens);
		pool.usd = _fit(pool.usd - worth);
		if (pool.left != NO_CURVE) pool.left = _fit(pool.left + tokens);
		emit Trade(token, trader, false, worth, fee, tokens, amount, pool.token, pool.usd);
		IERC20(usdc).give(to, out);
	}

	function _open(address token) private view returns (Pool storage pool) {
		pool = pools[token];
		if (pool.token == 0) revert NoPool(token);
		if (block.timestamp > pool.validUntil) revert Stale(token, pool.validUntil);
		if (pool.left == 0) revert SoldOut(0, 0);
	}

	function _fit(uint256 value) private pure returns (uint128) {
		require(value <= type(uint128).max, TooMuch(value));
		return uint128(value);
	}
}
