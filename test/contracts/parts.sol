// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// What the stand-ins know of the contracts they call.
interface IToken {
	function balanceOf(address) external view returns (uint256);
	function transfer(address, uint256) external returns (bool);
	function transferFrom(address, address, uint256) external returns (bool);
	function approve(address, uint256) external returns (bool);
}

interface IWrapped is IToken {
	function deposit() external payable;
	function withdraw(uint256) external;
}

interface IV2Factory {
	function createPair(address, address) external returns (address);
	function getPair(address, address) external view returns (address);
}

interface IV2Pair {
	function token0() external view returns (address);
	function token1() external view returns (address);
	function getReserves() external view returns (uint112, uint112, uint32);
	function swap(uint256, uint256, address, bytes calldata) external;
	function mint(address) external returns (uint256);
	function burn(address) external returns (uint256, uint256);
	function transfer(address, uint256) external returns (bool);
	function balanceOf(address) external view returns (uint256);
}

interface IV3Factory {
	function createPool(address, address, uint24) external returns (address);
}

interface IV3Pool {
	function token0() external view returns (address);
	function token1() external view returns (address);
	function initialize(uint160) external;
	function mint(address, int24, int24, uint128, bytes calldata) external returns (uint256, uint256);
	function swap(address, bool, int256, uint160, bytes calldata) external returns (int256, int256);
}
