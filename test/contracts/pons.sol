// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PoolLauncher} from "clanker.sol";
import {IToken} from "parts.sol";
import {IPoolManager, Opener, Opening} from "parts-v4.sol";
import {LaunchToken} from "tokens.sol";

/// Writes the events of a curve of Pons V2: a constant product with virtual quote coins. Fees are sent on at once, which the real
/// ones do later; no event of a trade says so.
contract PonsCurve {
	event CurveBuy(
		address indexed buyer, address indexed recipient, uint256 quoteIn, uint256 tokensOut, uint256 fee, uint256 tax
	);
	event CurveSell(
		address indexed seller, address indexed recipient, uint256 tokensIn, uint256 quoteOut, uint256 fee, uint256 tax
	);
	event CurveBuyRefunded(address indexed buyer, uint256 refund);
	event CurveCompleted(address recipient, uint256 quoteOut, uint256 tokenOut);
	event FeesSwept(uint256 protocolAmount, uint256 buybackAmount, uint256 creatorAmount);
	event BuybackLocked(uint256 quoteSpent, uint256 tokensLocked);

	Pons private immutable factory;
	address private immutable feeTo;
	IToken public immutable quote;
	uint256 public immutable phantomQuote;
	uint256 public immutable graduationThreshold;
	uint256 public immutable taxBps;
	IToken public token;
	uint256 public raised;
	uint256 public left;
	uint256 private reserved;

	constructor(address feeTo_, IToken quote_, uint256 phantom, uint256 threshold, uint256 taxBps_) {
		factory = Pons(payable(msg.sender));
		(feeTo, quote, phantomQuote, graduationThreshold, taxBps) = (feeTo_, quote_, phantom, threshold, taxBps_);
	}

	receive() external payable {}

	function initialize(IToken token_) external {
		require(msg.sender == address(factory) && left == 0, "not the factory");
		token = token_;
		left = token_.balanceOf(address(this));
		reserved = (left * phantomQuote) / (phantomQuote + graduationThreshold);
	}

	/// `funds` of native coins go into the curve, fee and tax on top; of another coin they lie here already, and hold both.
	function buyTo(address, address to, uint256 funds) external payable {
		require(isOpen(), "not for sale");
		uint256 net = isNative() ? funds : funds - takenOf(funds);
		uint256 out = (left * net) / (phantomQuote + raised + net);
		if (left - out < reserved) {
			out = left - reserved;
			net = ((phantomQuote + raised) * out) / reserved + 1;
		}
		uint256 spent = isNative() ? net + takenOf(net) : (net < funds - takenOf(funds) ? net + takenOf(net) : funds);
		uint256 taken = spent - net;
		(raised, left) = (raised + net, left - out);
		token.transfer(to, out);
		pay(feeTo, taken);
		uint256 refund = (isNative() ? msg.value : funds) - spent;
		if (refund > 0) {
			emit CurveBuyRefunded(msg.sender, refund);
			pay(msg.sender, refund);
		}
		uint256 tax = (taken * taxBps) / (100 + taxBps);
		emit CurveBuy(msg.sender, to, spent, out, taken - tax, tax);
		if (!isOpen()) factory.completed(address(token));
	}

	function sellFrom(address, address from, uint256 amount) external {
		require(isOpen(), "not for sale");
		require(tx.origin == from, "not yours");
		token.transferFrom(from, address(this), amount);
		uint256 gross = ((phantomQuote + raised) * amount) / (left + amount);
		uint256 taken = takenOf(gross);
		(raised, left) = (raised - gross, left + amount);
		pay(feeTo, taken);
		pay(from, gross - taken);
		uint256 tax = (taken * taxBps) / (100 + taxBps);
		emit CurveSell(from, from, amount, gross - taken, taken - tax, tax);
	}

	/// What an operator does with fees of a creator who asked for it.
	function buyBack(address vault) external payable {
		uint256 out = (left * msg.value) / (phantomQuote + raised + msg.value);
		(raised, left) = (raised + msg.value, left - out);
		token.transfer(vault, out);
		emit BuybackLocked(msg.value, out);
	}

	function graduate(address to) external returns (uint256 quotes, uint256 tokens) {
		require(msg.sender == address(factory), "not the factory");
		emit FeesSwept(1, 0, 1);
		(quotes, tokens) = (raised, left);
		pay(to, quotes);
		token.transfer(to, tokens);
		emit CurveCompleted(to, quotes, tokens);
	}

	function isOpen() public view returns (bool) {
		return left > reserved;
	}

	function isNative() private view returns (bool) {
		return address(quote) == address(0);
	}

	function takenOf(uint256 amount) private view returns (uint256) {
		return (amount * (100 + taxBps)) / 10_000;
	}

	function pay(address to, uint256 amount) private {
		if (isNative()) {
			(bool sent,) = to.call{value: amount}("");
			require(sent, "not sent");
		} else {
			quote.transfer(to, amount);
		}
	}
}

/// Writes the events of the factory of Pons V2.
contract Pons is PoolLauncher {
	event TokenLaunched(
		address indexed token,
		address indexed curve,
		address indexed deployer,
		address pairToken,
		uint256 launchConfigId,
		uint256 graduationThreshold
	);
	event LaunchSwept(address indexed token, uint256 quoteOut, uint256 tokenOut);
	event PoolGraduated(address indexed token, uint256 positionId, uint256 tokenAmount, uint256 pairTokenAmount);
	event LaunchGraduationRescued(address indexed token, address indexed recipient, uint256 quoteOut, uint256 tokenOut);
	event GraduationTokensPermanentlyLocked(address indexed token, uint256 amount);

	uint256 public constant SUPPLY = 1_000_000_000 ether;
	address private immutable feeTo;
	address private immutable locker;

	struct Terms {
		IToken quote;
		uint256 phantom;
		uint256 threshold;
		uint256 taxBps;
		/// Its pool is made by a transaction of its own.
		bool later;
		uint256 firstBuy;
	}

	mapping(address => PonsCurve) public curves;
	mapping(address => Opening) private openings;
	mapping(address => bool) private isLater;

	constructor(IPoolManager manager_, address feeTo_, address locker_) Opener(manager_) {
		(feeTo, locker) = (feeTo_, locker_);
	}

	receive() external payable {}

	/// @param o the pool that the token graduates to
	function launch(bytes32 salt, string calldata name, string calldata symbol, Terms calldata t, Opening calldata o)
		external
		payable
	{
		PonsCurve curve = new PonsCurve{salt: salt}(feeTo, t.quote, t.phantom, t.threshold, t.taxBps);
		LaunchToken token = new LaunchToken{salt: salt}(name, symbol, 18, SUPPLY, address(curve), address(this));
		curve.initialize(IToken(address(token)));
		curves[address(token)] = curve;
		openings[address(token)] = o;
		isLater[address(token)] = t.later;
		emit TokenLaunched(address(token), address(curve), msg.sender, address(t.quote), 0, t.threshold);
		if (t.firstBuy > 0) curve.buyTo{value: msg.value}(address(token), msg.sender, t.firstBuy);
	}

	function completed(address token) external {
		require(msg.sender == address(curves[token]), "not the curve");
		(uint256 quotes, uint256 tokens) = curves[token].graduate(address(this));
		emit LaunchSwept(token, quotes, tokens);
		if (!isLater[token]) makePool(token);
	}

	function makePool(address token) public {
		open(openings[token], address(this));
		uint256 rest = IToken(token).balanceOf(address(this));
		IToken(token).transfer(locker, rest);
		emit GraduationTokensPermanentlyLocked(token, rest);
		emit PoolGraduated(token, 1, 1, 1);
	}

	function rescue(address token) external {
		IToken(token).transfer(msg.sender, IToken(token).balanceOf(address(this)));
		emit LaunchGraduationRescued(token, msg.sender, 1, 1);
	}
}
