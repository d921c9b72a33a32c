// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// An ERC-20 for practice chains. Only its owner, the faucet, makes new units.
contract Token {
	string public name;
	string public symbol;
	uint8 public decimals;
	address public owner;
	uint256 public totalSupply;
	mapping(address holder => uint256) public balanceOf;
	mapping(address holder => mapping(address spender => uint256)) public allowance;

	event Transfer(address indexed from, address indexed to, uint256 value);
	event Approval(address indexed holder, address indexed spender, uint256 value);

	error InsufficientFunds(uint256 have, uint256 need);
	error InsufficientAllowance(uint256 have, uint256 need);
	error NotOwner(address caller);
	error ZeroAddress();

	constructor(string memory name_, string memory symbol_, uint8 decimals_, address owner_) {
		name = name_;
		symbol = symbol_;
		decimals = decimals_;
		owner = owner_;
	}

	function transfer(address to, uint256 value) external returns (bool) {
		_move(msg.sender, to, value);
		return true;
	}

	function approve(address spender, uint256 value) external returns (bool) {
		allowance[msg.sender][spender] = value;
		emit Approval(msg.sender, spender, value);
		return true;
	}

	function transferFrom(address from, address to, uint256 value) external returns (bool) {
		uint256 allowed = allowance[from][msg.sender];
		if (allowed < value) revert InsufficientAllowance(allowed, value);
		if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
		_move(from, to, value);
		return true;
	}

	function mint(address to, uint256 value) external {
		if (msg.sender != owner) revert NotOwner(msg.sender);
		if (to == address(0)) revert ZeroAddress();
		totalSupply += value;
		balanceOf[to] += value;
		emit Transfer(address(0), to, value);
	}

	function _move(address from, address to, uint256 value) internal virtual {
		if (to == address(0)) revert ZeroAddress();
		uint256 have = balanceOf[from];
		if (have < value) revert InsufficientFunds(have, value);
		unchecked {
			balanceOf[from] = have - value;
			balanceOf[to] += value;
		}
		emit Transfer(from, to, value);
	}
}
