// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IToken, IV2Factory, IV2Pair} from "parts.sol";
import {LaunchToken} from "tokens.sol";

/// Writes the events of a pair of Virtuals' first launchpad: its first coin is the token, whatever its address.
contract VirtualsPair {
	event Mint(uint256 reserve0, uint256 reserve1);
	event Swap(uint256 amount0In, uint256 amount0Out, uint256 amount1In, uint256 amount1Out);

	address private immutable bonding;
	IToken private immutable token;
	IToken private immutable asset;
	uint256 public reserve0;
	uint256 public reserve1;

	constructor(IToken token_, IToken asset_) {
		bonding = msg.sender;
		token = token_;
		asset = asset_;
	}

	modifier onlyBonding() {
		require(msg.sender == bonding, "not the launchpad");
		_;
	}

	function mint(uint256 tokens, uint256 assets) external onlyBonding {
		(reserve0, reserve1) = (tokens, assets);
		emit Mint(tokens, assets);
	}

	function buy(uint256 assets, address to) external onlyBonding returns (uint256 out) {
		out = reserve0 - (reserve0 * reserve1) / (reserve1 + assets);
		(reserve0, reserve1) = (reserve0 - out, reserve1 + assets);
		token.transfer(to, out);
		emit Swap(0, out, assets, 0);
	}

	function sell(uint256 tokens, address to) external onlyBonding returns (uint256 out) {
		out = reserve1 - (reserve0 * reserve1) / (reserve0 + tokens) - 1;
		(reserve0, reserve1) = (reserve0 + tokens, reserve1 - out);
		asset.transfer(to, out);
		emit Swap(tokens, 0, 0, out);
	}

	function empty(address to) external onlyBonding {
		asset.transfer(to, asset.balanceOf(address(this)));
	}
}

/// Writes the events of Virtuals' first launchpad. A token that is sold down to the threshold ends, and another one begins.
contract Virtuals {
	event Launched(address indexed token, address indexed pair, uint256 count);
	event Graduated(address indexed token, address agentToken);

	uint256 public constant SUPPLY = 1_000_000_000 ether;
	uint256 public constant gradThreshold = 125_000_000 ether;
	uint256 private constant VIRTUAL_ASSETS = 6000 ether;

	IToken private immutable asset;
	IV2Factory private immutable factory;
	address private immutable feeTo;
	mapping(address => VirtualsPair) public pairs;
	uint256 private count;

	constructor(IToken asset_, IV2Factory factory_, address feeTo_) {
		asset = asset_;
		factory = factory_;
		feeTo = feeTo_;
	}

	function launch(bytes32 salt, string calldata name, string calldata symbol) external returns (address) {
		LaunchToken token = new LaunchToken{salt: salt}(name, symbol, 18, SUPPLY, address(this), address(this));
		VirtualsPair pair = new VirtualsPair{salt: salt}(IToken(address(token)), asset);
		pairs[address(token)] = pair;
		token.transfer(address(pair), SUPPLY);
		pair.mint(SUPPLY, VIRTUAL_ASSETS);
		emit Launched(address(token), address(pair), ++count);
		return address(token);
	}

	/// The assets lie here already.
	function buyTo(address token, address to, uint256 funds) external {
		VirtualsPair pair = pairs[token];
		asset.transfer(feeTo, funds / 100);
		uint256 assets = funds - funds / 100;
		asset.transfer(address(pair), assets);
		pair.buy(assets, to);
		if (pair.reserve0() <= gradThreshold) graduate(token, pair);
	}

	function sellFrom(address token, address from, uint256 amount) external {
		require(tx.origin == from, "not yours");
		VirtualsPair pair = pairs[token];
		IToken(token).transferFrom(from, address(pair), amount);
		uint256 out = pair.sell(amount, address(this));
		asset.transfer(feeTo, out / 100);
		asset.transfer(from, out - out / 100);
	}

	function graduate(address token, VirtualsPair pair) private {
		uint256 tokens = pair.reserve0();
		pair.empty(address(this));
		LaunchToken agent = new LaunchToken(
			string.concat(LaunchToken(token).name(), " by Virtuals"), LaunchToken(token).symbol(), 18, SUPPLY, address(this), address(this)
		);
		address pool = factory.createPair(address(agent), address(asset));
		agent.transfer(pool, tokens);
		agent.transfer(address(pair), SUPPLY - tokens);
		asset.transfer(pool, asset.balanceOf(address(this)));
		IV2Pair(pool).mint(address(0xdead));
		emit Graduated(token, address(agent));
	}
}
