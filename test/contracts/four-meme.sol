// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IToken, IWrapped, IV2Factory, IV2Pair} from "parts.sol";
import {LaunchToken} from "tokens.sol";

/// Writes the events of four.meme's TokenManager2, and sells tokens from a curve of its own.
contract FourMeme {
	event TokenCreate(
		address creator,
		address token,
		uint256 requestId,
		string name,
		string symbol,
		uint256 totalSupply,
		uint256 launchTime,
		uint256 launchFee
	);
	event TokenPurchase(
		address token, address account, uint256 price, uint256 amount, uint256 cost, uint256 fee, uint256 offers, uint256 funds
	);
	event TokenSale(
		address token, address account, uint256 price, uint256 amount, uint256 cost, uint256 fee, uint256 offers, uint256 funds
	);
	event LiquidityAdded(address base, uint256 offers, address quote, uint256 funds);
	event TradeStop(address token);

	uint256 public constant SUPPLY = 1_000_000_000 ether;
	uint256 public constant MAX_OFFERS = 800_000_000 ether;
	uint256 public constant MAX_FUNDS = 18 ether;
	/// With these the last of the offers is sold at exactly MAX_FUNDS.
	uint256 private constant VIRTUAL_FUNDS = 6 ether;
	uint256 private constant VIRTUAL_OFFERS = (MAX_OFFERS * (MAX_FUNDS + VIRTUAL_FUNDS)) / MAX_FUNDS;
	uint256 private constant FEE_PERCENT = 1;

	IWrapped private immutable wrapped;
	IV2Factory private immutable factory;
	address private immutable feeTo;

	struct Launch {
		uint256 launchTime;
		uint256 offers;
		uint256 funds;
		bool stopped;
		bool added;
	}

	mapping(address => Launch) public launches;
	uint256 private requests;

	constructor(IWrapped wrapped_, IV2Factory factory_, address feeTo_) {
		wrapped = wrapped_;
		factory = factory_;
		feeTo = feeTo_;
	}

	function createToken(bytes32 salt, string calldata name, string calldata symbol) external returns (address) {
		LaunchToken token = new LaunchToken{salt: salt}(name, symbol, 18, SUPPLY, address(this), address(this));
		launches[address(token)] = Launch(block.timestamp, MAX_OFFERS, 0, false, false);
		emit TokenCreate(msg.sender, address(token), ++requests, name, symbol, SUPPLY, block.timestamp, 0);
		return address(token);
	}

	/// @param funds most that the tokens may cost, without the fee
	function buyTo(address token, address to, uint256 funds) external payable {
		Launch storage l = launches[token];
		require(l.launchTime > 0 && !l.stopped, "not for sale");
		uint256 cost = funds > MAX_FUNDS - l.funds ? MAX_FUNDS - l.funds : funds;
		uint256 left = cost + l.funds == MAX_FUNDS ? 0 : leftAt(l.funds + cost);
		uint256 amount = l.offers - left;
		uint256 fee = (cost * FEE_PERCENT) / 100;
		l.offers = left;
		l.funds += cost;
		IToken(token).transfer(to, amount);
		send(feeTo, fee);
		send(msg.sender, msg.value - cost - fee);
		emit TokenPurchase(token, to, (cost * 1 ether) / amount, amount, cost, fee, left, l.funds);
		if (left == 0) {
			l.stopped = true;
			emit TradeStop(token);
		}
	}

	/// The caller's allowance counts, so that a router can sell for a wallet.
	function sellFrom(address token, address from, uint256 amount) external {
		Launch storage l = launches[token];
		require(l.launchTime > 0 && !l.stopped, "not for sale");
		require(tx.origin == from, "not yours");
		IToken(token).transferFrom(from, address(this), amount);
		uint256 cost = l.funds - fundsAt(l.offers + amount);
		uint256 fee = (cost * FEE_PERCENT) / 100;
		l.offers += amount;
		l.funds -= cost;
		send(feeTo, fee);
		send(from, cost - fee);
		emit TokenSale(token, from, (cost * 1 ether) / amount, amount, cost, fee, l.offers, l.funds);
	}

	/// Moves a token that is sold out to a pair, as the launchpad's operator does it in a transaction of its own.
	function addLiquidity(address token) external {
		Launch storage l = launches[token];
		require(l.stopped && !l.added, "not ready");
		l.added = true;
		address pair = factory.createPair(token, address(wrapped));
		uint256 tokens = SUPPLY - MAX_OFFERS;
		wrapped.deposit{value: l.funds}();
		wrapped.transfer(pair, l.funds);
		IToken(token).transfer(pair, tokens);
		IV2Pair(pair).mint(address(0xdead));
		emit LiquidityAdded(token, tokens, address(0), l.funds);
	}

	function leftAt(uint256 funds) private pure returns (uint256) {
		return MAX_OFFERS - (VIRTUAL_OFFERS * funds) / (VIRTUAL_FUNDS + funds);
	}

	/// What is raised when so many tokens are left, rounded up: the curve never pays out more than it has.
	function fundsAt(uint256 left) private pure returns (uint256) {
		uint256 sold = MAX_OFFERS - left;
		return (VIRTUAL_FUNDS * sold + VIRTUAL_OFFERS - sold - 1) / (VIRTUAL_OFFERS - sold);
	}

	function send(address to, uint256 amount) private {
		(bool sent,) = to.call{value: amount}("");
		require(sent, "not sent");
	}
}

/// Answers as four.meme's TokenManagerHelper3.
contract FourMemeHelper {
	FourMeme private immutable manager;

	constructor(FourMeme manager_) {
		manager = manager_;
	}

	function getTokenInfo(address token)
		external
		view
		returns (
			uint256 version,
			address tokenManager,
			address quote,
			uint256 lastPrice,
			uint256 tradingFeeRate,
			uint256 minTradingFee,
			uint256 launchTime,
			uint256 offers,
			uint256 maxOffers,
			uint256 funds,
			uint256 maxFunds,
			bool liquidityAdded
		)
	{
		(launchTime, offers, funds,, liquidityAdded) = manager.launches(token);
		require(launchTime > 0, "unknown token");
		version = 2;
		tokenManager = address(manager);
		quote = address(0);
		lastPrice = 0;
		tradingFeeRate = 100;
		minTradingFee = 0;
		maxOffers = manager.MAX_OFFERS();
		maxFunds = manager.MAX_FUNDS();
	}
}
