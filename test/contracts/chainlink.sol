// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// Answers as a Chainlink proxy: rounds of one phase, with the round's number in the low 64 bits.
contract PriceFeed {
	uint80 private constant PHASE = 7 << 64;
	uint8 public decimals;
	string public description;
	int256[] private answers;
	uint256[] private times;

	constructor(uint8 decimals_, string memory description_) {
		decimals = decimals_;
		description = description_;
	}

	/// A new round, at the time of its block.
	function update(int256 answer) external {
		updateAt(answer, block.timestamp);
	}

	function updateAt(int256 answer, uint256 time) public {
		answers.push(answer);
		times.push(time);
	}

	function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
		return round(answers.length);
	}

	function getRoundData(uint80 id) external view returns (uint80, int256, uint256, uint256, uint80) {
		require(id > PHASE && id <= PHASE + answers.length, "No data present");
		return round(id - PHASE);
	}

	function round(uint256 n) private view returns (uint80, int256, uint256, uint256, uint80) {
		require(n > 0, "No data present");
		uint80 id = PHASE + uint80(n);
		return (id, answers[n - 1], times[n - 1], times[n - 1], id);
	}
}

/// The calls of Multicall3 that readers use.
contract Multicall {
	struct Call {
		address target;
		bytes callData;
	}
	struct Call3 {
		address target;
		bool allowFailure;
		bytes callData;
	}
	struct Result {
		bool success;
		bytes returnData;
	}

	function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
		results = new Result[](calls.length);
		for (uint256 i = 0; i < calls.length; i++) {
			(results[i].success, results[i].returnData) = calls[i].target.call(calls[i].callData);
			require(results[i].success || calls[i].allowFailure, "Multicall3: call failed");
		}
	}

	function tryAggregate(bool required, Call[] calldata calls) external payable returns (Result[] memory results) {
		results = new Result[](calls.length);
		for (uint256 i = 0; i < calls.length; i++) {
			(results[i].success, results[i].returnData) = calls[i].target.call(calls[i].callData);
			require(results[i].success || !required, "Multicall3: call failed");
		}
	}

	function getBlockNumber() external view returns (uint256) {
		return block.number;
	}

	function getCurrentBlockTimestamp() external view returns (uint256) {
		return block.timestamp;
	}

	function getEthBalance(address of_) external view returns (uint256) {
		return of_.balance;
	}
}
