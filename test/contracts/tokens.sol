// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// An ERC-20 as launchpads make them. Its owner may set a tax on trades with a pool, mint, and give itself up.
contract LaunchToken {
	string public name;
	string public symbol;
	uint8 public immutable decimals;
	uint256 public totalSupply;
	address public owner;
	address public taxedPool;
	uint256 public buyTaxPpm;
	uint256 public sellTaxPpm;
	mapping(address => uint256) public balanceOf;
	mapping(address => mapping(address => uint256)) public allowance;

	event Transfer(address indexed from, address indexed to, uint256 value);
	event Approval(address indexed owner, address indexed spender, uint256 value);
	event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

	constructor(string memory name_, string memory symbol_, uint8 decimals_, uint256 supply, address holder, address owner_) {
		name = name_;
		symbol = symbol_;
		decimals = decimals_;
		owner = owner_;
		emit OwnershipTransferred(address(0), owner_);
		give(holder, supply);
	}

	modifier onlyOwner() {
		require(msg.sender == owner, "not the owner");
		_;
	}

	function mint(address to, uint256 amount) external virtual onlyOwner {
		give(to, amount);
	}

	function setTax(address pool, uint256 buyPpm, uint256 sellPpm) external onlyOwner {
		taxedPool = pool;
		buyTaxPpm = buyPpm;
		sellTaxPpm = sellPpm;
	}

	function renounceOwnership() external onlyOwner {
		emit OwnershipTransferred(owner, address(0));
		owner = address(0);
	}

	function approve(address spender, uint256 amount) external returns (bool) {
		allowance[msg.sender][spender] = amount;
		emit Approval(msg.sender, spender, amount);
		return true;
	}

	function transfer(address to, uint256 amount) external returns (bool) {
		move(msg.sender, to, amount);
		return true;
	}

	function transferFrom(address from, address to, uint256 amount) external returns (bool) {
		uint256 allowed = allowance[from][msg.sender];
		require(allowed >= amount, "not allowed");
		if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - amount;
		move(from, to, amount);
		return true;
	}

	function give(address to, uint256 amount) internal {
		totalSupply += amount;
		unchecked {
			balanceOf[to] += amount;
		}
		emit Transfer(address(0), to, amount);
	}

	function move(address from, address to, uint256 amount) internal virtual {
		require(balanceOf[from] >= amount, "too little");
		uint256 tax = taxOf(from, to, amount);
		balanceOf[from] -= amount;
		unchecked {
			balanceOf[to] += amount - tax;
			balanceOf[address(this)] += tax;
		}
		emit Transfer(from, to, amount - tax);
		if (tax > 0) emit Transfer(from, address(this), tax);
	}

	function taxOf(address from, address to, uint256 amount) private view returns (uint256) {
		if (taxedPool == address(0)) return 0;
		if (from == taxedPool) return (amount / 1_000_000) * buyTaxPpm;
		if (to == taxedPool) return (amount / 1_000_000) * sellTaxPpm;
		return 0;
	}
}

/// A token with a catch, by its kind. Its owner is spared, as is usual.
contract TrapToken is LaunchToken {
	/// 1: cannot be sold. 2: sold tokens are lost but for a twentieth. 3: not sold in the block they were bought in. 4: takes every
	/// call and mints nothing. 5: only `mint(uint256)` mints. 6: cannot be sold while its owner
	/// is a contract.
	uint256 private immutable kind;
	mapping(address => uint256) private boughtIn;

	constructor(uint256 kind_, string memory name_, string memory symbol_, uint8 decimals_, uint256 supply, address owner_)
		LaunchToken(name_, symbol_, decimals_, supply, owner_, owner_)
	{
		kind = kind_;
	}

	fallback() external {
		require(kind == 4, "no such function");
	}

	function mint(address to, uint256 amount) external override {
		if (kind == 4) return;
		require(kind != 5 && msg.sender == owner, "no");
		give(to, amount);
	}

	function mint(uint256 amount) external {
		if (kind == 4) return;
		require(kind == 5 && msg.sender == owner, "no");
		give(msg.sender, amount);
	}

	function move(address from, address to, uint256 amount) internal override {
		bool isSale = from != owner && to.code.length > 0 && isPair(to);
		if (kind == 1 && isSale) revert("sealed");
		if (kind == 3 && isSale) require(boughtIn[from] != block.number, "too soon");
		if (kind == 3 && isPair(from)) boughtIn[to] = block.number;
		if (kind == 6 && isSale) require(owner.code.length == 0, "no");
		super.move(from, to, amount);
		if (kind == 2 && isSale) {
			balanceOf[to] -= (amount / 20) * 19;
			balanceOf[owner] += (amount / 20) * 19;
		}
	}

	function isPair(address place) private view returns (bool) {
		(bool ok, bytes memory answer) = place.staticcall(abi.encodeWithSignature("getReserves()"));
		return ok && answer.length == 96;
	}
}

/// A coin that others are paid with, of any decimals. Anyone may mint it.
contract QuoteCoin {
	string public name;
	string public symbol;
	uint8 public decimals;
	uint256 public totalSupply;
	mapping(address => uint256) public balanceOf;
	mapping(address => mapping(address => uint256)) public allowance;

	event Transfer(address indexed from, address indexed to, uint256 value);
	event Approval(address indexed owner, address indexed spender, uint256 value);

	constructor(string memory name_, string memory symbol_, uint8 decimals_) {
		name = name_;
		symbol = symbol_;
		decimals = decimals_;
	}

	function mint(address to, uint256 amount) external {
		totalSupply += amount;
		balanceOf[to] += amount;
		emit Transfer(address(0), to, amount);
	}

	function approve(address spender, uint256 amount) external returns (bool) {
		allowance[msg.sender][spender] = amount;
		emit Approval(msg.sender, spender, amount);
		return true;
	}

	function transfer(address to, uint256 amount) external returns (bool) {
		move(msg.sender, to, amount);
		return true;
	}

	function transferFrom(address from, address to, uint256 amount) external returns (bool) {
		allowance[from][msg.sender] -= amount;
		move(from, to, amount);
		return true;
	}

	function move(address from, address to, uint256 amount) private {
		balanceOf[from] -= amount;
		balanceOf[to] += amount;
		emit Transfer(from, to, amount);
	}
}

/// A token whose texts and figures are whatever bytes a test wants: broken strings, bytes32 symbols, 36 decimals, a supply of 2^256-1.
contract StrangeToken {
	bytes private nameAnswer;
	bytes private symbolAnswer;
	bytes private decimalsAnswer;
	uint256 public totalSupply;
	mapping(address => uint256) public balanceOf;

	event Transfer(address indexed from, address indexed to, uint256 value);

	constructor(bytes memory name_, bytes memory symbol_, bytes memory decimals_, uint256 supply, address holder) {
		nameAnswer = name_;
		symbolAnswer = symbol_;
		decimalsAnswer = decimals_;
		totalSupply = supply;
		balanceOf[holder] = supply;
		emit Transfer(address(0), holder, supply);
	}

	function name() external view {
		answer(nameAnswer);
	}

	function symbol() external view {
		answer(symbolAnswer);
	}

	function decimals() external view {
		answer(decimalsAnswer);
	}

	function transfer(address to, uint256 amount) external returns (bool) {
		move(msg.sender, to, amount);
		return true;
	}

	/// Anyone may move: this is a test.
	function transferFrom(address from, address to, uint256 amount) external returns (bool) {
		move(from, to, amount);
		return true;
	}

	function approve(address, uint256) external pure returns (bool) {
		return true;
	}

	function move(address from, address to, uint256 amount) private {
		balanceOf[from] -= amount;
		unchecked {
			balanceOf[to] += amount;
		}
		emit Transfer(from, to, amount);
	}

	function answer(bytes memory bytes_) private pure {
		assembly {
			return(add(bytes_, 32), mload(bytes_))
		}
	}
}
