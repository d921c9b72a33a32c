// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IToken} from "parts.sol";
import {IPoolManager, Opener, Opening} from "parts-v4.sol";
import {LaunchToken} from "tokens.sol";

/// Launchers of tokens that have a pool of Uniswap V4 from the start, with the whole supply in it on one side of the price.
abstract contract PoolLauncher is Opener {
	function unlockCallback(bytes calldata data) external returns (bytes memory) {
		(address payer,, bytes memory rest) = abi.decode(data, (address, bool, bytes));
		provide(abi.decode(rest, (Opening)), payer);
		return "";
	}

	function hand(address coin, address, address to, uint256 amount) internal override {
		IToken(coin).transfer(to, amount);
	}
}

/// Writes the event of Clanker's factory of version 4.
contract Clanker is PoolLauncher {
	/// What TokenCreated has beside its indexed parameters; a struct, since the compiler has no room for so many values.
	struct Created {
		address msgSender;
		string tokenImage;
		string tokenName;
		string tokenSymbol;
		string tokenMetadata;
		string tokenContext;
		int24 startingTick;
		address poolHook;
		bytes32 poolId;
		address pairedToken;
		address locker;
		address mevModule;
		uint256 extensionsSupply;
		address[] extensions;
	}

	bytes32 private constant TOKEN_CREATED = keccak256(
		"TokenCreated(address,address,address,string,string,string,string,string,int24,address,bytes32,address,address,address,uint256,address[])"
	);

	constructor(IPoolManager manager_) Opener(manager_) {}

	function deployToken(bytes32 salt, string calldata name, string calldata symbol, uint256 supply, int24 tick, Opening calldata o)
		external
		returns (address)
	{
		LaunchToken token = new LaunchToken{salt: salt}(name, symbol, 18, supply, address(this), msg.sender);
		open(o, address(this));
		Created memory created;
		created.msgSender = msg.sender;
		created.tokenImage = "ipfs://picture";
		created.tokenName = name;
		created.tokenSymbol = symbol;
		created.tokenMetadata = "{\"description\":\"a test\"}";
		created.tokenContext = "{\"interface\":\"test\"}";
		created.startingTick = tick;
		created.poolHook = o.key.hooks;
		created.poolId = keccak256(abi.encode(o.key));
		created.pairedToken = o.key.currency0 == address(token) ? o.key.currency1 : o.key.currency0;
		created.locker = address(0x10c);
		write(address(token), abi.encode(created));
		return address(token);
	}

	/// The parameters of an event are encoded as a struct is, without the first word, which says where the struct begins.
	function write(address token, bytes memory data) private {
		bytes32 topic = TOKEN_CREATED;
		assembly {
			log3(add(data, 64), sub(mload(data), 32), topic, token, caller())
		}
	}
}
