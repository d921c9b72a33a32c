// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// A coin. No answers of transfers: some have none, and balances say what happened.
interface ICoin {
	function balanceOf(address of_) external view returns (uint256);
	function totalSupply() external view returns (uint256);
	function approve(address spender, uint256 amount) external;
	function transfer(address to, uint256 amount) external;
	function transferFrom(address from, address to, uint256 amount) external;
	function deposit() external payable;
	function mint(address to, uint256 amount) external;
	function mint(uint256 amount) external;
}

interface IPair {
	function token0() external view returns (address);
	function getReserves() external view returns (uint112 reserve0, uint112 reserve1, uint32 timeS);
	function swap(uint256 out0, uint256 out1, address to, bytes calldata data) external;
}

/// Buys a token and sells it again, and mints it as its owner, in a call that changes nothing: its code is put at unused addresses,
/// and at the owner's, for that call only. Each step has its own gas and may fail without the others.
contract TradeTrial {
	uint256 private constant STEP_GAS = 2_000_000;
	/// So small a part of the pool's coins is spent: limits of a wallet or a trade do not matter.
	uint256 private constant SMALL = 1000;
	/// With fewer raw tokens a tax could not be measured.
	uint256 private constant LEAST = 1000;
	/// A percent of fee: no fork asks for more, and what is measured are tokens, not coins.
	uint256 private constant KEPT_PERCENT = 99;

	/// @param pair zero: only mint
	/// @param hand another address with this code
	/// @param owner zero: do not mint; otherwise this code is there, too
	/// @return wanted tokens that left the pair; 0: nothing could be bought
	/// @return bought those that arrived
	/// @return sent tokens that were sold; 0: nothing could be
	/// @return arrived those that reached the pair
	/// @return mints 1 when the owner's call made new tokens
	function run(address token, address pair, address wrapped, address hand, address owner)
		external
		returns (uint256 wanted, uint256 bought, uint256 sent, uint256 arrived, uint256 mints)
	{
		if (pair != address(0)) {
			try this.buy{gas: STEP_GAS}(token, pair, wrapped) returns (uint256 left, uint256 got) {
				(wanted, bought) = (left, got);
			} catch {}
			// A part: some tokens must not leave a wallet whole.
			for (uint256 way = 0; way < 3 && sent == 0 && bought > 1; way++) {
				try this.sell{gas: STEP_GAS}(token, pair, hand, bought / 2, way) returns (uint256 out, uint256 reached) {
					(sent, arrived) = (out, reached);
				} catch {}
			}
		}
		if (owner != address(0)) {
			try TradeTrial(owner).mintAs{gas: STEP_GAS}(token) returns (bool made) {
				if (made) mints = 1;
			} catch {}
		}
	}

	function buy(address token, address pair, address wrapped) external returns (uint256 wanted, uint256 got) {
		(uint256 tokens, uint256 coins, bool isFirst) = reserves(token, pair);
		uint256 paid = coins / SMALL;
		wanted = outOf(paid, coins, tokens);
		require(wanted >= LEAST);
		ICoin(wrapped).deposit{value: paid}();
		ICoin(wrapped).transfer(pair, paid);
		uint256 before = ICoin(token).balanceOf(address(this));
		IPair(pair).swap(isFirst ? wanted : 0, isFirst ? 0 : wanted, address(this), "");
		got = ICoin(token).balanceOf(address(this)) - before;
	}

	/// @param way 0: another one fetches the tokens, as routers do; 1: they are sent; 2: another wallet gets and sends them
	function sell(address token, address pair, address hand, uint256 amount, uint256 way)
		external
		returns (uint256 sent, uint256 arrived)
	{
		sent = amount;
		if (way == 0) {
			ICoin(token).approve(hand, amount);
			TradeTrial(hand).fetch(token, address(this), pair, amount);
		} else if (way == 1) {
			ICoin(token).transfer(pair, amount);
		} else {
			ICoin(token).transfer(hand, amount);
			sent = ICoin(token).balanceOf(hand);
			TradeTrial(hand).give(token, pair, sent);
		}
		// The token may have traded with the pair on its way.
		(uint256 tokens, uint256 coins, bool isFirst) = reserves(token, pair);
		arrived = ICoin(token).balanceOf(pair) - tokens;
		uint256 paidOut = outOf(arrived, tokens, coins);
		require(sent > 0 && paidOut > 0);
		IPair(pair).swap(isFirst ? 0 : paidOut, isFirst ? paidOut : 0, address(this), "");
	}

	function fetch(address token, address from, address to, uint256 amount) external {
		ICoin(token).transferFrom(from, to, amount);
	}

	function give(address token, address to, uint256 amount) external {
		ICoin(token).transfer(to, amount);
	}

	/// At the owner's address. Only a larger supply proves it: a fallback may take any call.
	function mintAs(address token) external returns (bool) {
		uint256 before = ICoin(token).totalSupply();
		try this.mintOne{gas: STEP_GAS / 4}(token, true) {} catch {}
		if (ICoin(token).totalSupply() > before) return true;
		try this.mintOne{gas: STEP_GAS / 4}(token, false) {} catch {}
		return ICoin(token).totalSupply() > before;
	}

	function mintOne(address token, bool isNamed) external {
		if (isNamed) ICoin(token).mint(address(this), 1);
		else ICoin(token).mint(1);
	}

	function reserves(address token, address pair) private view returns (uint256 tokens, uint256 coins, bool isFirst) {
		(uint256 reserve0, uint256 reserve1,) = IPair(pair).getReserves();
		isFirst = IPair(pair).token0() == token;
		(tokens, coins) = isFirst ? (reserve0, reserve1) : (reserve1, reserve0);
	}

	function outOf(uint256 paid, uint256 from, uint256 to) private pure returns (uint256) {
		if (paid == 0) return 0;
		uint256 kept = paid * KEPT_PERCENT;
		return (kept * to) / (from * 100 + kept);
	}
}
