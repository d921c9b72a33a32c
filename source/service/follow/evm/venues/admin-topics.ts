import type {Hex} from '../venue.ts';

/** Events of common contract parts that mean nothing for a market. */
export const ADMIN_TOPICS: readonly Hex[] = [
	/** OwnershipTransferred(address,address) */
	'0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0',
	/** OwnershipTransferStarted(address,address) */
	'0x38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e22700',
	/** Initialized(uint8), Initialized(uint64) */
	'0x7f26b83ff96e1f2b6a682f133852f6798a09c465da95921460cefb3847402498',
	'0xc7f505b2f371ae2175ee4913f4499e1f2633a7b5936321eed1cdaeb6115181d2',
	/** RoleGranted, RoleRevoked (bytes32,address,address), RoleAdminChanged(bytes32,bytes32,bytes32) */
	'0x2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d',
	'0xf6391f5c32d9c69d2a47ea670b442974b53935d1edc7fd64eb21e047a839171b',
	'0xbd79b86ffe0ab8e8776151514217cd7cacd52c909f66475c3af44e129f0b00ff',
	/** Paused(address), Unpaused(address) */
	'0x62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a258',
	'0x5db9ee0a495bf2e6ff9c91a7834c1ba4fdd244a5e8aa4e537bd38aeae4b073aa',
	/** Upgraded(address), AdminChanged(address,address) */
	'0xbc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b',
	'0x7e644d79422f17c01e4894b5f4f588d331ebfa28653d42ae832dc59e38c9798f',
];
