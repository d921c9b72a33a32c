// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BatchExecutor} from "./batch-executor.sol";

/// The executor without the last comparison: it does all the work of checking a signature and then accepts any.
/// Never deployed. Its runtime replaces an account's code inside one eth_estimateGas, so that a quote knows the units
/// before anybody has signed.
contract BatchExecutorSimulation is BatchExecutor {
	function _signedBySelf(bytes32 digest, bytes calldata signature) internal pure override returns (bool) {
		// The answer is used, so that the optimiser keeps the recovery and its cost.
		return _recover(digest, signature) != address(1);
	}
}
