// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Token} from "./token.sol";

/// A launch of the simulated market. Never deployed: its runtime is put at the launch's own address, and its storage with
/// it, so all launches share one code and nothing of them is immutable. The variables of Token keep their slots, with the
/// venue as owner: all of the supply is the venue's at first, and none is ever made.
contract MarketToken is Token {
	/// In hundredths of a per cent, of what goes from the venue to a buyer and from a seller to the venue.
	uint16 public buyTaxBps;
	uint16 public sellTaxBps;
	/// Whether it can be bought only.
	bool public isHoneypot;
	/// Who gets the taxes.
	address public taxTo;

	error SaleRefused();

	constructor() Token("", "", 0, address(0)) {}

	function _move(address from, address to, uint256 value) internal override {
		if (to == owner && isHoneypot) revert SaleRefused();
		uint256 taxBps = to == owner ? sellTaxBps : from == owner ? buyTaxBps : 0;
		uint256 tax = (value * taxBps) / 10_000;
		if (tax > 0) super._move(from, taxTo, tax);
		super._move(from, to, value - tax);
	}
}
