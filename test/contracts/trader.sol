// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IToken, IWrapped, IV2Factory, IV2Pair, IV3Factory, IV3Pool} from "parts.sol";
import {LaunchToken, StrangeToken, TrapToken} from "tokens.sol";

interface ICurve {
	function buyTo(address token, address to, uint256 funds) external payable;
	function sellFrom(address token, address from, uint256 amount) external;
}

/// Routers that are witnesses of their trades: they weigh a place before and after, so that what they write down comes from
/// balances and from no event of the place.
abstract contract Witness {
	/// Tokens and quote coins that entered or left the place, and tokens that reached or left the wallet.
	event Traded(
		address indexed place,
		address indexed token,
		address indexed wallet,
		bool buy,
		uint256 placeToken,
		uint256 placeQuote,
		uint256 walletToken
	);

	IWrapped internal immutable wrapped;

	struct Weights {
		uint256 placeToken;
		uint256 placeQuote;
		uint256 walletToken;
	}

	constructor(IWrapped wrapped_) {
		wrapped = wrapped_;
	}

	receive() external payable {}

	// money

	function pay(address quote, address to, uint256 amount) internal {
		payFrom(msg.sender, quote, to, amount);
	}

	/// The native coin that came along is wrapped; everything else is taken from the payer.
	function payFrom(address payer, address coin, address to, uint256 amount) internal {
		if (coin == address(wrapped) && address(this).balance >= amount) {
			wrapped.deposit{value: amount}();
			wrapped.transfer(to, amount);
		} else {
			IToken(coin).transferFrom(payer, to, amount);
		}
	}

	function payOut(address quote, uint256 amount) internal {
		if (quote == address(wrapped)) {
			wrapped.withdraw(amount);
			giveBack();
		} else {
			IToken(quote).transfer(msg.sender, amount);
		}
	}

	function giveBack() internal {
		(bool sent,) = msg.sender.call{value: address(this).balance}("");
		require(sent, "nothing given back");
	}

	// the witness

	function weigh(address place, address token, address quote) internal view returns (Weights memory) {
		return Weights({
			placeToken: IToken(token).balanceOf(place),
			placeQuote: quote == address(0) ? place.balance : IToken(quote).balanceOf(place),
			walletToken: IToken(token).balanceOf(msg.sender)
		});
	}

	function testify(address place, address token, address quote, bool buy, Weights memory before) internal {
		Weights memory now_ = weigh(place, token, quote);
		emit Traded(
			place,
			token,
			msg.sender,
			buy,
			buy ? before.placeToken - now_.placeToken : now_.placeToken - before.placeToken,
			buy ? now_.placeQuote - before.placeQuote : before.placeQuote - now_.placeQuote,
			buy ? now_.walletToken - before.walletToken : before.walletToken - now_.walletToken
		);
	}
}

/// The router of all trades with pools of Uniswap V2 and V3, and with curves.
contract Trader is Witness {
	address private immutable feeTo;

	/// @param feeTo_ who gets the fees of curves
	constructor(IWrapped wrapped_, address feeTo_) Witness(wrapped_) {
		feeTo = feeTo_;
	}

	function make(bytes32 salt, string calldata name, string calldata symbol, uint8 decimals, uint256 supply) external {
		new LaunchToken{salt: salt}(name, symbol, decimals, supply, msg.sender, msg.sender);
	}

	function makeTrap(bytes32 salt, uint256 kind, string calldata name, string calldata symbol, uint8 decimals, uint256 supply)
		external
	{
		new TrapToken{salt: salt}(kind, name, symbol, decimals, supply, msg.sender);
	}

	function makeStrange(bytes32 salt, bytes calldata name, bytes calldata symbol, bytes calldata decimals, uint256 supply)
		external
	{
		new StrangeToken{salt: salt}(name, symbol, decimals, supply, msg.sender);
	}

	// Uniswap V2

	function openV2(IV2Factory factory, address token, address quote, uint256 tokens, uint256 quotes) external payable {
		address pair = factory.getPair(token, quote);
		if (pair == address(0)) pair = factory.createPair(token, quote);
		addV2(pair, token, quote, tokens, quotes);
	}

	function addV2(address pair, address token, address quote, uint256 tokens, uint256 quotes) public payable {
		IToken(token).transferFrom(msg.sender, pair, tokens);
		pay(quote, pair, quotes);
		IV2Pair(pair).mint(msg.sender);
	}

	/// Takes all liquidity out that the sender has sent to the pair before.
	function removeV2(address pair) external {
		IV2Pair(pair).burn(msg.sender);
	}

	/// @param through the tokens make a halt here on their way, as with routers that take a fee
	function buyV2(address pair, address token, address quote, uint256 quotes, bool through) external payable {
		Weights memory before = weigh(pair, token, quote);
		pay(quote, pair, quotes);
		uint256 out = outOf(pair, quote);
		bool first = IV2Pair(pair).token0() == token;
		IV2Pair(pair).swap(first ? out : 0, first ? 0 : out, through ? address(this) : msg.sender, "");
		if (through) IToken(token).transfer(msg.sender, IToken(token).balanceOf(address(this)));
		testify(pair, token, quote, true, before);
	}

	function sellV2(address pair, address token, address quote, uint256 tokens) external {
		Weights memory before = weigh(pair, token, quote);
		IToken(token).transferFrom(msg.sender, pair, tokens);
		uint256 out = outOf(pair, token);
		bool first = IV2Pair(pair).token0() == quote;
		IV2Pair(pair).swap(first ? out : 0, first ? 0 : out, address(this), "");
		payOut(quote, out);
		testify(pair, token, quote, false, before);
	}

	function outOf(address pair, address coin) private view returns (uint256) {
		(uint256 reserveIn, uint256 reserveOut,) = IV2Pair(pair).getReserves();
		if (IV2Pair(pair).token0() != coin) (reserveIn, reserveOut) = (reserveOut, reserveIn);
		uint256 paid = (IToken(coin).balanceOf(pair) - reserveIn) * 997;
		return (paid * reserveOut) / (reserveIn * 1000 + paid);
	}

	// Uniswap V3

	struct Position {
		IV3Factory factory;
		address token;
		address quote;
		uint24 fee;
		uint160 sqrtPriceX96;
		int24 lower;
		int24 upper;
		uint128 liquidity;
	}

	function openV3(Position calldata p) external payable {
		IV3Pool pool = IV3Pool(p.factory.createPool(p.token, p.quote, p.fee));
		pool.initialize(p.sqrtPriceX96);
		pool.mint(msg.sender, p.lower, p.upper, p.liquidity, abi.encode(msg.sender));
		giveBack();
	}

	function buyV3(address pool, address token, address quote, uint256 quotes) external payable {
		Weights memory before = weigh(pool, token, quote);
		swapV3(pool, quote, quotes, msg.sender);
		testify(pool, token, quote, true, before);
		giveBack();
	}

	function sellV3(address pool, address token, address quote, uint256 tokens) external {
		Weights memory before = weigh(pool, token, quote);
		uint256 had = IToken(quote).balanceOf(address(this));
		swapV3(pool, token, tokens, address(this));
		payOut(quote, IToken(quote).balanceOf(address(this)) - had);
		testify(pool, token, quote, false, before);
	}

	function swapV3(address pool, address coin, uint256 amount, address to) private {
		bool zeroForOne = IV3Pool(pool).token0() == coin;
		uint160 limit = zeroForOne ? 4295128740 : 1461446703485210103287273052203988822378723970341;
		IV3Pool(pool).swap(to, zeroForOne, int256(amount), limit, abi.encode(msg.sender));
	}

	function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
		settleV3(amount0, amount1, data);
	}

	function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
		settleV3(int256(amount0), int256(amount1), data);
	}

	function settleV3(int256 amount0, int256 amount1, bytes calldata data) private {
		address payer = abi.decode(data, (address));
		if (amount0 > 0) payFrom(payer, IV3Pool(msg.sender).token0(), msg.sender, uint256(amount0));
		if (amount1 > 0) payFrom(payer, IV3Pool(msg.sender).token1(), msg.sender, uint256(amount1));
	}

	// curves

	/// The last buy of a curve may move everything to a pool: what was paid and not given back or taken as a fee went in.
	function buyCurve(ICurve curve, address token, uint256 funds) external payable {
		uint256 had = IToken(token).balanceOf(msg.sender);
		uint256 fees = feeTo.balance;
		curve.buyTo{value: msg.value}(token, msg.sender, funds);
		uint256 got = IToken(token).balanceOf(msg.sender) - had;
		uint256 paid = msg.value - address(this).balance - (feeTo.balance - fees);
		emit Traded(address(curve), token, msg.sender, true, got, paid, got);
		giveBack();
	}

	/// A curve that is a pair beside its launchpad, and is paid with a coin.
	function buyBonding(ICurve bonding, address pair, address token, IToken quote, uint256 funds) external {
		uint256 had = IToken(token).balanceOf(msg.sender);
		uint256 fees = quote.balanceOf(feeTo);
		quote.transferFrom(msg.sender, address(bonding), funds);
		bonding.buyTo(token, msg.sender, funds);
		uint256 got = IToken(token).balanceOf(msg.sender) - had;
		emit Traded(pair, token, msg.sender, true, got, funds - (quote.balanceOf(feeTo) - fees), got);
	}

	function sellBonding(ICurve bonding, address pair, address token, address quote, uint256 amount) external {
		Weights memory before = weigh(pair, token, quote);
		bonding.sellFrom(token, msg.sender, amount);
		testify(pair, token, quote, false, before);
	}

	function sellCurve(ICurve curve, address token, uint256 amount) external {
		Weights memory before = weigh(address(curve), token, address(0));
		curve.sellFrom(token, msg.sender, amount);
		testify(address(curve), token, address(0), false, before);
	}
}
