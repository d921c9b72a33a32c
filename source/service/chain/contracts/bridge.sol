// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20, SafeToken} from "./erc20.sol";
import {MarketVenue} from "./market-venue.sol";

/// One end of the bridge; the same contract stands on every chain. On the origin it keeps a deposit until the solver
/// settles or refunds it; on the destination the solver pays the recipient. Every step can be made once.
contract Bridge {
	using SafeToken for IERC20;

	enum Stage {
		none,
		deposited,
		settled,
		refunded
	}

	enum Fill {
		none,
		filled,
		cancelled
	}

	struct Deposited {
		Stage stage;
		address depositor;
		address token;
		uint256 amount;
	}

	address public immutable solver;
	mapping(bytes32 depositId => Deposited) public deposits;
	mapping(bytes32 intentId => Fill) public fills;

	/// @param depositId see depositIdOf
	event Deposit(
		bytes32 indexed intentId,
		address indexed depositor,
		bytes32 indexed depositId,
		address token,
		uint256 amount,
		uint256 destinationChainId,
		address recipient
	);
	event Filled(bytes32 indexed intentId, address indexed recipient, address token, uint256 amount);
	event FillCancelled(bytes32 indexed intentId);
	event Settled(bytes32 indexed intentId, bytes32 indexed depositId, address token, uint256 amount);
	event Refunded(bytes32 indexed intentId, bytes32 indexed depositId, address indexed depositor, address token, uint256 amount);

	error AlreadyDeposited(bytes32 intentId);
	error AlreadyFilled(bytes32 intentId);
	error FillWasCancelled(bytes32 intentId);
	error NotDeposited(bytes32 depositId);
	error NotSolver(address caller);
	error RecipientRefused(address recipient);
	error SameChain(uint256 chainId);
	error TooLittleOut(uint256 amountOut, uint256 minAmountOut);
	error ZeroAmount();

	constructor(address solver_) {
		solver = solver_;
	}

	modifier onlySolver() {
		if (msg.sender != solver) revert NotSolver(msg.sender);
		_;
	}

	/// Takes the caller's tokens for an intent.
	function bridgeToken(
		bytes32 intentId,
		address token,
		uint256 amount,
		uint256 destinationChainId,
		address recipient
	) external {
		_deposit(intentId, msg.sender, token, amount, destinationChainId, recipient);
	}

	/// As bridgeToken, paid by the caller in the name of another account: for helpers that swap first.
	function bridgeTokenFor(
		address depositor,
		bytes32 intentId,
		address token,
		uint256 amount,
		uint256 destinationChainId,
		address recipient
	) external {
		_deposit(intentId, depositor, token, amount, destinationChainId, recipient);
	}

	/// The key of a deposit. It holds who paid and for whom, so that a stranger who sees an intent on its way cannot
	/// take its place.
	function depositIdOf(bytes32 intentId, address payer, address depositor) public pure returns (bytes32) {
		return keccak256(abi.encode(intentId, payer, depositor));
	}

	/// Pays the recipient on the destination, once for an intent, from the solver's own tokens.
	function fill(bytes32 intentId, address token, uint256 amount, address recipient) external onlySolver {
		_open(intentId);
		fills[intentId] = Fill.filled;
		emit Filled(intentId, recipient, token, amount);
		IERC20(token).takeTo(msg.sender, recipient, amount);
	}

	/// As fill, in the chain's own coin: the recipient gets what the solver sends along. The event's token is zero.
	function fillNative(bytes32 intentId, address recipient) external payable onlySolver {
		_open(intentId);
		fills[intentId] = Fill.filled;
		emit Filled(intentId, recipient, address(0), msg.value);
		(bool ok,) = recipient.call{value: msg.value}("");
		if (!ok) revert RecipientRefused(recipient);
	}

	/// As fill, with a token that is bought for the recipient with the solver's USDC. The event's amount is what arrived.
	/// @param minOut the least that must arrive, after any tax
	function fillFromVenue(
		bytes32 intentId,
		MarketVenue venue,
		address token,
		uint256 usd,
		uint256 minOut,
		address recipient
	) external onlySolver {
		_open(intentId);
		fills[intentId] = Fill.filled;
		IERC20 usdc = IERC20(venue.usdc());
		usdc.take(msg.sender, usd);
		usdc.allow(address(venue), usd);
		uint256 had = IERC20(token).balanceOf(recipient);
		venue.buy(token, usd, minOut, recipient);
		uint256 amount = IERC20(token).balanceOf(recipient) - had;
		// Again, since a token may take back what it gave.
		if (amount < minOut) revert TooLittleOut(amount, minOut);
		emit Filled(intentId, recipient, token, amount);
	}

	/// Closes an intent on the destination for ever. It comes before a refund on the origin: so an intent is never both
	/// filled and refunded, whatever is still on its way.
	function cancelFill(bytes32 intentId) external onlySolver {
		_open(intentId);
		fills[intentId] = Fill.cancelled;
		emit FillCancelled(intentId);
	}

	/// Repays the solver on the origin after its fill.
	function settle(bytes32 intentId, bytes32 depositId) external onlySolver {
		Deposited storage deposit = _take(depositId, Stage.settled);
		emit Settled(intentId, depositId, deposit.token, deposit.amount);
		IERC20(deposit.token).give(solver, deposit.amount);
	}

	/// Gives a deposit back to its depositor.
	function refund(bytes32 intentId, bytes32 depositId) external onlySolver {
		Deposited storage deposit = _take(depositId, Stage.refunded);
		emit Refunded(intentId, depositId, deposit.depositor, deposit.token, deposit.amount);
		IERC20(deposit.token).give(deposit.depositor, deposit.amount);
	}

	function _deposit(
		bytes32 intentId,
		address depositor,
		address token,
		uint256 amount,
		uint256 destinationChainId,
		address recipient
	) private {
		if (amount == 0) revert ZeroAmount();
		if (destinationChainId == block.chainid) revert SameChain(destinationChainId);
		bytes32 depositId = depositIdOf(intentId, msg.sender, depositor);
		if (deposits[depositId].stage != Stage.none) revert AlreadyDeposited(intentId);
		deposits[depositId] = Deposited(Stage.deposited, depositor, token, amount);
		emit Deposit(intentId, depositor, depositId, token, amount, destinationChainId, recipient);
		IERC20(token).take(msg.sender, amount);
	}

	function _open(bytes32 intentId) private view {
		Fill now_ = fills[intentId];
		if (now_ == Fill.filled) revert AlreadyFilled(intentId);
		if (now_ == Fill.cancelled) revert FillWasCancelled(intentId);
	}

	function _take(bytes32 depositId, Stage next) private returns (Deposited storage deposit) {
		deposit = deposits[depositId];
		if (deposit.stage != Stage.deposited) revert NotDeposited(depositId);
		deposit.stage = next;
	}
}
