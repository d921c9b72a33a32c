// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// What names a pool of the manager.
struct PoolKey {
	address currency0;
	address currency1;
	uint24 fee;
	int24 tickSpacing;
	address hooks;
}

struct SwapParams {
	bool zeroForOne;
	int256 amountSpecified;
	uint160 sqrtPriceLimitX96;
}

struct ModifyLiquidityParams {
	int24 tickLower;
	int24 tickUpper;
	int256 liquidityDelta;
	bytes32 salt;
}

interface IPoolManager {
	function unlock(bytes calldata data) external returns (bytes memory);
	function initialize(PoolKey memory key, uint160 sqrtPriceX96) external returns (int24);
	function swap(PoolKey memory key, SwapParams memory params, bytes calldata hookData) external returns (int256);
	function modifyLiquidity(PoolKey memory key, ModifyLiquidityParams memory params, bytes calldata hookData)
		external
		returns (int256, int256);
	function sync(address currency) external;
	function settle() external payable returns (uint256);
	function take(address currency, address to, uint256 amount) external;
}

/// A position as launchers of pools need it.
struct Opening {
	PoolKey key;
	uint160 sqrtPriceX96;
	int24 lower;
	int24 upper;
	int256 liquidity;
}

/// Opens pools of the manager and pays for their liquidity.
abstract contract Opener {
	IPoolManager internal immutable manager;

	constructor(IPoolManager manager_) {
		manager = manager_;
	}

	function open(Opening memory o, address payer) internal {
		manager.initialize(o.key, o.sqrtPriceX96);
		manager.unlock(abi.encode(payer, true, abi.encode(o)));
	}

	function provide(Opening memory o, address payer) internal {
		(int256 delta,) = manager.modifyLiquidity(
			o.key, ModifyLiquidityParams(o.lower, o.upper, o.liquidity, bytes32(0)), ""
		);
		settle(o.key.currency0, int128(delta >> 128), payer);
		settle(o.key.currency1, int128(delta), payer);
	}

	/// From the caller's side: negative is owed to the manager, positive is taken from it.
	function settle(address coin, int128 amount, address wallet) internal {
		if (amount > 0) manager.take(coin, wallet, uint128(amount));
		if (amount >= 0) return;
		uint256 owed = uint128(-amount);
		if (coin == address(0)) {
			manager.settle{value: owed}();
		} else {
			manager.sync(coin);
			hand(coin, wallet, address(manager), owed);
			manager.settle();
		}
	}

	/// Hands coins of a payer to the manager.
	function hand(address coin, address payer, address to, uint256 amount) internal virtual;
}

/// Lets every pool do what it wants; its fee is one percent where it may set it.
contract QuietHook {
	bytes4 private constant BEFORE_SWAP = 0x575e24b4;

	fallback() external {
		bytes4 selector = msg.sig;
		// The fee of this swap, with the bit that says so.
		uint256 fee = 0x400000 | 10_000;
		uint256 length = selector == BEFORE_SWAP ? 96 : 64;
		assembly {
			mstore(0, selector)
			mstore(32, 0)
			mstore(64, fee)
			return(0, length)
		}
	}
}
