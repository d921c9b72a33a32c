// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PoolLauncher} from "clanker.sol";
import {IPoolManager, Opener, Opening} from "parts-v4.sol";
import {LaunchToken} from "tokens.sol";

/// Writes the event of Doppler's Airlock for a token that has its pool from the start, and answers for whom it was launched.
contract Airlock is PoolLauncher {
	event Create(address asset, address indexed numeraire, address initializer, address poolOrHook);

	mapping(address => address) private integrators;

	constructor(IPoolManager manager_) Opener(manager_) {}

	function create(
		bytes32 salt,
		string calldata name,
		string calldata symbol,
		uint256 supply,
		address integrator,
		Opening calldata o
	) external returns (address) {
		LaunchToken token = new LaunchToken{salt: salt}(name, symbol, 18, supply, address(this), address(this));
		integrators[address(token)] = integrator;
		open(o, address(this));
		address numeraire = o.key.currency0 == address(token) ? o.key.currency1 : o.key.currency0;
		emit Create(address(token), numeraire, o.key.hooks, address(token));
		return address(token);
	}

	/// Its last word is the integrator.
	function getAssetData(address asset) external view returns (address[9] memory others, address integrator) {
		return (others, integrators[asset]);
	}
}
