// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IToken, IWrapped} from "parts.sol";
import {IPoolManager, Opener, Opening, PoolKey, SwapParams} from "parts-v4.sol";
import {Witness} from "trader.sol";

/// The router of all trades with pools of Uniswap V4.
contract TraderV4 is Witness, Opener {
	constructor(IWrapped wrapped_, IPoolManager manager_) Witness(wrapped_) Opener(manager_) {}

	function openPool(Opening calldata o) external payable {
		open(o, msg.sender);
		giveBack();
	}

	function buy(PoolKey calldata key, address token, uint256 quotes) external payable {
		trade(key, token, quotes, true);
		giveBack();
	}

	function sell(PoolKey calldata key, address token, uint256 tokens) external {
		trade(key, token, tokens, false);
	}

	function trade(PoolKey calldata key, address token, uint256 amount, bool isBuy) private {
		bool first = key.currency0 == token;
		address quote = first ? key.currency1 : key.currency0;
		Weights memory before = weigh(address(manager), token, quote);
		bool zeroForOne = isBuy != first;
		uint160 limit = zeroForOne ? 4295128740 : 1461446703485210103287273052203988822378723970341;
		SwapParams memory params = SwapParams(zeroForOne, -int256(amount), limit);
		manager.unlock(abi.encode(msg.sender, false, abi.encode(key, params)));
		testify(address(manager), token, quote, isBuy, before);
	}

	function unlockCallback(bytes calldata data) external returns (bytes memory) {
		(address payer, bool isOpening, bytes memory rest) = abi.decode(data, (address, bool, bytes));
		if (isOpening) {
			provide(abi.decode(rest, (Opening)), payer);
		} else {
			(PoolKey memory key, SwapParams memory params) = abi.decode(rest, (PoolKey, SwapParams));
			int256 delta = manager.swap(key, params, "");
			settle(key.currency0, int128(delta >> 128), payer);
			settle(key.currency1, int128(delta), payer);
		}
		return "";
	}

	function hand(address coin, address payer, address to, uint256 amount) internal override {
		payFrom(payer, coin, to, amount);
	}
}
