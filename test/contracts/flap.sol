// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IToken, IWrapped, IV2Factory, IV2Pair} from "parts.sol";
import {LaunchToken} from "tokens.sol";

/// Writes the events of Flap's portal. The last buy of a curve moves the token to a pair at once.
contract Flap {
	event TokenCreated(
		uint256 ts, address creator, uint256 nonce, address token, string name, string symbol, string meta
	);
	event TokenDexSupplyThreshSet(address token, uint256 dexSupplyThresh);
	event TokenQuoteSet(address token, address quoteToken);
	event TokenBought(
		uint256 ts, address token, address buyer, uint256 amount, uint256 eth, uint256 fee, uint256 postPrice
	);
	event TokenSold(
		uint256 ts, address token, address seller, uint256 amount, uint256 eth, uint256 fee, uint256 postPrice
	);
	event FlapTokenCirculatingSupplyChanged(address token, uint256 newSupply);
	event FlapTokenProgressChanged(address token, uint256 newProgress);
	event LaunchedToDEX(address token, address pool, uint256 amount, uint256 eth);

	uint256 public constant SUPPLY = 1_000_000_000 ether;
	uint256 public constant FOR_SALE = 800_000_000 ether;
	uint256 public constant TARGET = 16 ether;
	/// With these the last token is sold at exactly TARGET.
	uint256 private constant VIRTUAL_FUNDS = 4 ether;
	uint256 private constant VIRTUAL_TOKENS = (FOR_SALE * (TARGET + VIRTUAL_FUNDS)) / TARGET;
	uint256 private constant FEE_PERCENT = 1;

	IWrapped private immutable wrapped;
	IV2Factory private immutable factory;
	address private immutable feeTo;

	struct Curve {
		bool made;
		bool launched;
		uint256 sold;
		uint256 raised;
	}

	mapping(address => Curve) public curves;
	uint256 private nonce;

	constructor(IWrapped wrapped_, IV2Factory factory_, address feeTo_) {
		wrapped = wrapped_;
		factory = factory_;
		feeTo = feeTo_;
	}

	function newToken(bytes32 salt, string calldata name, string calldata symbol) external returns (address) {
		LaunchToken token = new LaunchToken{salt: salt}(name, symbol, 18, SUPPLY, address(this), address(this));
		curves[address(token)].made = true;
		emit TokenCreated(block.timestamp, msg.sender, ++nonce, address(token), name, symbol, "bafkreitest");
		emit TokenDexSupplyThreshSet(address(token), FOR_SALE);
		emit TokenQuoteSet(address(token), address(0));
		return address(token);
	}

	function buyTo(address token, address to, uint256 funds) external payable {
		Curve storage c = curves[token];
		require(c.made && !c.launched, "not for sale");
		uint256 cost = funds > TARGET - c.raised ? TARGET - c.raised : funds;
		uint256 raised = c.raised + cost;
		uint256 sold = raised == TARGET ? FOR_SALE : (VIRTUAL_TOKENS * raised) / (VIRTUAL_FUNDS + raised);
		uint256 amount = sold - c.sold;
		uint256 fee = (cost * FEE_PERCENT) / 100;
		(c.sold, c.raised) = (sold, raised);
		IToken(token).transfer(to, amount);
		send(feeTo, fee);
		send(msg.sender, msg.value - cost - fee);
		emit TokenBought(block.timestamp, token, to, amount, cost, fee, priceOf(c));
		said(token, c);
		if (sold == FOR_SALE) launch(token, c);
	}

	function sellFrom(address token, address from, uint256 amount) external {
		Curve storage c = curves[token];
		require(c.made && !c.launched, "not for sale");
		require(tx.origin == from, "not yours");
		IToken(token).transferFrom(from, address(this), amount);
		uint256 sold = c.sold - amount;
		uint256 raised = (VIRTUAL_FUNDS * sold + VIRTUAL_TOKENS - sold - 1) / (VIRTUAL_TOKENS - sold);
		uint256 cost = c.raised - raised;
		uint256 fee = (cost * FEE_PERCENT) / 100;
		(c.sold, c.raised) = (sold, raised);
		send(feeTo, fee);
		send(from, cost - fee);
		emit TokenSold(block.timestamp, token, from, amount, cost, fee, priceOf(c));
		said(token, c);
	}

	function said(address token, Curve storage c) private {
		emit FlapTokenCirculatingSupplyChanged(token, c.sold);
		emit FlapTokenProgressChanged(token, (c.sold * 1 ether) / FOR_SALE);
	}

	function launch(address token, Curve storage c) private {
		c.launched = true;
		address pair = factory.createPair(token, address(wrapped));
		uint256 tokens = SUPPLY - FOR_SALE;
		wrapped.deposit{value: c.raised}();
		wrapped.transfer(pair, c.raised);
		IToken(token).transfer(pair, tokens);
		IV2Pair(pair).mint(address(0xdead));
		emit LaunchedToDEX(token, pair, tokens, c.raised);
	}

	function priceOf(Curve storage c) private view returns (uint256) {
		return ((VIRTUAL_FUNDS + c.raised) * 1 ether) / (VIRTUAL_TOKENS - c.sold);
	}

	function send(address to, uint256 amount) private {
		(bool sent,) = to.call{value: amount}("");
		require(sent, "not sent");
	}
}
