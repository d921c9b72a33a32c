// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20, SafeToken} from "./erc20.sol";

/// A perpetuals exchange against one pool: market, limit and stop orders, take-profit, stop-loss, liquidation.
/// A trade keeps its index from the order to the closed position. Prices carry 8 decimals, leverage 2, collateral the
/// token's own.
contract PerpExchange {
	using SafeToken for IERC20;

	enum Stage {
		none,
		order,
		position,
		cancelled,
		closed
	}

	enum Kind {
		market,
		limit,
		stop
	}

	struct Trade {
		Stage stage;
		Kind kind;
		bool isLong;
		uint32 market;
		uint32 leverageX100;
		uint64 since;
		uint128 collateral;
		uint128 price;
		uint128 takeProfit;
		uint128 stopLoss;
	}

	uint256 private constant FEE_BPS = 5;
	uint256 private constant MAX_LEVERAGE_X100 = 100_00;
	/// What part of the collateral may be lost before a position is liquidated.
	int256 private constant LIQUIDATION_BPS = 9000;
	address public immutable keeper;
	IERC20 public immutable collateralToken;
	mapping(uint32 market => uint128) public priceOf;
	mapping(address trader => Trade[]) private trades;

	event PriceSet(uint32 indexed market, uint128 price);
	event OrderPlaced(address indexed trader, uint256 indexed index, uint32 indexed market, Kind kind);
	event OrderCancelled(address indexed trader, uint256 indexed index);
	event PositionOpened(address indexed trader, uint256 indexed index, uint128 price);
	event PositionChanged(address indexed trader, uint256 indexed index);
	event PositionClosed(address indexed trader, uint256 indexed index, uint128 price, uint256 payout, uint256 shareBps);

	error NotKeeper(address caller);
	error NoPrice(uint32 market);
	error BadLeverage(uint256 leverageX100);
	error ZeroAmount();
	error NotAnOrder(uint256 index);
	error NotAPosition(uint256 index);
	error NoTakeProfit(uint256 index);
	error NoStopLoss(uint256 index);
	error PriceMoved(uint128 price, uint128 worst);
	error NotTriggered(uint256 index, uint128 price);
	error BadShare(uint256 shareBps);

	constructor(address keeper_, IERC20 collateralToken_) {
		keeper = keeper_;
		collateralToken = collateralToken_;
	}

	function setPrice(uint32 market, uint128 price) external {
		if (msg.sender != keeper) revert NotKeeper(msg.sender);
		priceOf[market] = price;
		emit PriceSet(market, price);
	}

	/// Takes the collateral and keeps the order; a market order becomes a position at once.
	/// @param price where a limit or stop order opens; the worst that a market order takes, zero for any
	function placeOrder(
		uint32 market,
		Kind kind,
		bool isLong,
		uint128 collateral,
		uint32 leverageX100,
		uint128 price,
		uint128 takeProfit,
		uint128 stopLoss
	) external returns (uint256 index) {
		if (collateral == 0 || (kind != Kind.market && price == 0)) revert ZeroAmount();
		if (leverageX100 < 100 || leverageX100 > MAX_LEVERAGE_X100) revert BadLeverage(leverageX100);
		if (priceOf[market] == 0) revert NoPrice(market);
		index = trades[msg.sender].length;
		trades[msg.sender].push(
			Trade({
				stage: Stage.order,
				kind: kind,
				isLong: isLong,
				market: market,
				leverageX100: leverageX100,
				since: uint64(block.timestamp),
				collateral: collateral,
				price: price,
				takeProfit: takeProfit,
				stopLoss: stopLoss
			})
		);
		emit OrderPlaced(msg.sender, index, market, kind);
		collateralToken.take(msg.sender, collateral);
		if (kind == Kind.market) _openAtMarket(index, price);
	}

	function cancelOrder(uint256 index) external {
		Trade storage trade = _order(msg.sender, index);
		trade.stage = Stage.cancelled;
		emit OrderCancelled(msg.sender, index);
		collateralToken.give(msg.sender, trade.collateral);
	}

	function cancelTakeProfit(uint256 index) external {
		Trade storage trade = _live(msg.sender, index);
		if (trade.takeProfit == 0) revert NoTakeProfit(index);
		trade.takeProfit = 0;
		emit PositionChanged(msg.sender, index);
	}

	function cancelStopLoss(uint256 index) external {
		Trade storage trade = _live(msg.sender, index);
		if (trade.stopLoss == 0) revert NoStopLoss(index);
		trade.stopLoss = 0;
		emit PositionChanged(msg.sender, index);
	}

	/// Sets both; zero takes one away.
	function updateTargets(uint256 index, uint128 takeProfit, uint128 stopLoss) external {
		Trade storage trade = _live(msg.sender, index);
		trade.takeProfit = takeProfit;
		trade.stopLoss = stopLoss;
		emit PositionChanged(msg.sender, index);
	}

	/// Keeps the size and moves collateral: a lower leverage takes more of it, a higher one gives some back.
	function updateLeverage(uint256 index, uint32 leverageX100) external {
		if (leverageX100 < 100 || leverageX100 > MAX_LEVERAGE_X100) revert BadLeverage(leverageX100);
		Trade storage trade = _position(msg.sender, index);
		uint128 before = trade.collateral;
		uint128 next = uint128((uint256(before) * trade.leverageX100) / leverageX100);
		if (next == 0) revert ZeroAmount();
		trade.collateral = next;
		trade.leverageX100 = leverageX100;
		if (_isLost(trade, priceOf[trade.market])) revert BadLeverage(leverageX100);
		emit PositionChanged(msg.sender, index);
		if (next > before) collateralToken.take(msg.sender, next - before);
		else collateralToken.give(msg.sender, before - next);
	}

	/// Closes a part of a position, 10000 being the whole, at the market's price.
	function closePosition(uint256 index, uint256 shareBps) external {
		if (shareBps == 0 || shareBps > 10_000) revert BadShare(shareBps);
		Trade storage trade = _position(msg.sender, index);
		_close(msg.sender, index, priceOf[trade.market], shareBps);
	}

	/// Opens a limit or stop order that the market's price has reached. Anybody may ask.
	function executeOrder(address trader, uint256 index) external {
		Trade storage trade = _order(trader, index);
		uint128 price = priceOf[trade.market];
		bool wantsLow = trade.isLong == (trade.kind == Kind.limit);
		if (wantsLow ? price > trade.price : price < trade.price) revert NotTriggered(index, price);
		_open(trader, index, price);
	}

	/// Closes a position whose take-profit, stop-loss or liquidation has been reached. Anybody may ask.
	function trigger(address trader, uint256 index) external {
		Trade storage trade = _position(trader, index);
		uint128 price = priceOf[trade.market];
		if (!_isReached(trade, price)) revert NotTriggered(index, price);
		_close(trader, index, price, 10_000);
	}

	function tradeCount(address trader) external view returns (uint256) {
		return trades[trader].length;
	}

	/// A trader's trades from an index on; the first of the answer has that index.
	function tradesOf(address trader, uint256 from, uint256 max) external view returns (Trade[] memory list) {
		uint256 length = trades[trader].length;
		uint256 count = from >= length ? 0 : length - from;
		if (count > max) count = max;
		list = new Trade[](count);
		for (uint256 i = 0; i < count; i++) list[i] = trades[trader][from + i];
	}

	function _openAtMarket(uint256 index, uint128 worst) private {
		Trade storage trade = trades[msg.sender][index];
		uint128 price = priceOf[trade.market];
		if (worst != 0 && (trade.isLong ? price > worst : price < worst)) revert PriceMoved(price, worst);
		_open(msg.sender, index, price);
	}

	function _open(address trader, uint256 index, uint128 price) private {
		Trade storage trade = trades[trader][index];
		trade.stage = Stage.position;
		trade.price = price;
		trade.since = uint64(block.timestamp);
		trade.collateral -= uint128(_fee(trade.collateral, trade.leverageX100));
		emit PositionOpened(trader, index, price);
	}

	function _close(address trader, uint256 index, uint128 price, uint256 shareBps) private {
		Trade storage trade = trades[trader][index];
		uint128 part = uint128((uint256(trade.collateral) * shareBps) / 10_000);
		int256 worth = int256(uint256(part)) + _profit(trade, part, price) - int256(_fee(part, trade.leverageX100));
		uint256 payout = worth > 0 ? uint256(worth) : 0;
		trade.collateral -= part;
		if (shareBps == 10_000) trade.stage = Stage.closed;
		emit PositionClosed(trader, index, price, payout, shareBps);
		collateralToken.give(trader, payout);
	}

	function _isReached(Trade storage trade, uint128 price) private view returns (bool) {
		uint128 high = trade.isLong ? trade.takeProfit : trade.stopLoss;
		uint128 low = trade.isLong ? trade.stopLoss : trade.takeProfit;
		return (high != 0 && price >= high) || (low != 0 && price <= low) || _isLost(trade, price);
	}

	function _isLost(Trade storage trade, uint128 price) private view returns (bool) {
		return _profit(trade, trade.collateral, price) * 10_000 <= -int256(uint256(trade.collateral)) * LIQUIDATION_BPS;
	}

	function _profit(Trade storage trade, uint128 collateral, uint128 price) private view returns (int256) {
		int256 moved = int256(uint256(price)) - int256(uint256(trade.price));
		if (!trade.isLong) moved = -moved;
		int256 size = int256((uint256(collateral) * trade.leverageX100) / 100);
		return (size * moved) / int256(uint256(trade.price));
	}

	function _fee(uint128 collateral, uint32 leverageX100) private pure returns (uint256) {
		return (uint256(collateral) * leverageX100 * FEE_BPS) / (100 * 10_000);
	}

	function _order(address trader, uint256 index) private view returns (Trade storage trade) {
		if (index >= trades[trader].length || trades[trader][index].stage != Stage.order) revert NotAnOrder(index);
		trade = trades[trader][index];
	}

	function _position(address trader, uint256 index) private view returns (Trade storage trade) {
		if (index >= trades[trader].length || trades[trader][index].stage != Stage.position) revert NotAPosition(index);
		trade = trades[trader][index];
	}

	function _live(address trader, uint256 index) private view returns (Trade storage trade) {
		if (index < trades[trader].length) {
			trade = trades[trader][index];
			if (trade.stage == Stage.order || trade.stage == Stage.position) return trade;
		}
		revert NotAPosition(index);
	}
}
