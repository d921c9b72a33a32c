// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PoolLauncher} from "clanker.sol";
import {IPoolManager, Opener, Opening, PoolKey} from "parts-v4.sol";
import {LaunchToken} from "tokens.sol";

/// Writes the event of Zora's factory; a hundredth of the supply is its creator's.
contract Zora is PoolLauncher {
	event CoinCreatedV4(
		address indexed caller,
		address indexed payoutRecipient,
		address indexed platformReferrer,
		address currency,
		string uri,
		string name,
		string symbol,
		address coin,
		PoolKey poolKey,
		bytes32 poolKeyHash,
		string version
	);

	constructor(IPoolManager manager_) Opener(manager_) {}

	function deploy(bytes32 salt, string calldata name, string calldata symbol, uint256 supply, Opening calldata o)
		external
		returns (address)
	{
		LaunchToken coin = new LaunchToken{salt: salt}(name, symbol, 18, supply, address(this), msg.sender);
		coin.transfer(msg.sender, supply / 100);
		open(o, address(this));
		address currency = o.key.currency0 == address(coin) ? o.key.currency1 : o.key.currency0;
		emit CoinCreatedV4(
			msg.sender,
			msg.sender,
			address(0),
			currency,
			"ipfs://coin",
			name,
			symbol,
			address(coin),
			o.key,
			keccak256(abi.encode(o.key)),
			"2.4.0"
		);
		return address(coin);
	}
}
