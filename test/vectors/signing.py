#!/usr/bin/env python3
"""Makes signing.json: digests and signatures of everything that is signed (spec 4.4, 5).

An implementation of its own, from the standards and with the standard library alone (Keccak-256, secp256k1 with RFC 6979
nonces, EIP-712, EIP-7702, EIP-191), so that client and service cannot both be wrong in the same way unseen.
Run it without arguments; it checks itself against published values first and then writes the file beside itself.
"""

import hashlib
import hmac
import json
import pathlib

# Keccak-256 (FIPS 202 permutation, the original padding 0x01)

MASK = (1 << 64) - 1


def rotate(value, by):
    by %= 64
    return ((value << by) | (value >> (64 - by))) & MASK if by else value


def round_constants():
    constants, lfsr = [], 1
    for _ in range(24):
        constant = 0
        for j in range(7):
            if lfsr & 1:
                constant |= 1 << ((1 << j) - 1)
            lfsr = (lfsr << 1) ^ (0x171 if lfsr & 0x80 else 0)
        constants.append(constant)
    return constants


ROUND_CONSTANTS = round_constants()


def permute(a):
    for constant in ROUND_CONSTANTS:
        c = [a[x][0] ^ a[x][1] ^ a[x][2] ^ a[x][3] ^ a[x][4] for x in range(5)]
        d = [c[(x - 1) % 5] ^ rotate(c[(x + 1) % 5], 1) for x in range(5)]
        a = [[a[x][y] ^ d[x] for y in range(5)] for x in range(5)]
        x, y, current = 1, 0, a[1][0]
        for t in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            current, a[x][y] = a[x][y], rotate(current, (t + 1) * (t + 2) // 2)
        a = [[a[x][y] ^ (~a[(x + 1) % 5][y] & MASK & a[(x + 2) % 5][y]) for y in range(5)] for x in range(5)]
        a[0][0] ^= constant
    return a


def keccak256(data):
    rate = 136
    padded = bytearray(data) + b"\x01" + b"\x00" * (-(len(data) + 1) % rate)
    padded[-1] |= 0x80
    state = [[0] * 5 for _ in range(5)]
    for start in range(0, len(padded), rate):
        for i in range(rate // 8):
            lane = int.from_bytes(padded[start + 8 * i : start + 8 * i + 8], "little")
            state[i % 5][i // 5] ^= lane
        state = permute(state)
    return b"".join(state[i % 5][i // 5].to_bytes(8, "little") for i in range(4))


# secp256k1

P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)


def add(p, q):
    if p is None:
        return q
    if q is None:
        return p
    if p[0] == q[0]:
        if (p[1] + q[1]) % P == 0:
            return None
        slope = 3 * p[0] * p[0] * pow(2 * p[1], -1, P)
    else:
        slope = (q[1] - p[1]) * pow(q[0] - p[0], -1, P)
    x = (slope * slope - p[0] - q[0]) % P
    return x, (slope * (p[0] - x) - p[1]) % P


def multiply(k, point):
    result = None
    while k:
        if k & 1:
            result = add(result, point)
        point = add(point, point)
        k >>= 1
    return result


def address_of(key):
    x, y = multiply(key, G)
    return "0x" + keccak256(x.to_bytes(32, "big") + y.to_bytes(32, "big"))[12:].hex()


def rfc6979(key, digest):
    k, v = b"\x00" * 32, b"\x01" * 32
    seed = key.to_bytes(32, "big") + (int.from_bytes(digest, "big") % N).to_bytes(32, "big")
    for byte in (b"\x00", b"\x01"):
        k = hmac.new(k, v + byte + seed, hashlib.sha256).digest()
        v = hmac.new(k, v, hashlib.sha256).digest()
    while True:
        v = hmac.new(k, v, hashlib.sha256).digest()
        nonce = int.from_bytes(v, "big")
        if 0 < nonce < N:
            return nonce
        k = hmac.new(k, v + b"\x00", hashlib.sha256).digest()
        v = hmac.new(k, v, hashlib.sha256).digest()


def sign(key, digest):
    """r, s (low) and yParity."""
    nonce = rfc6979(key, digest)
    x, y = multiply(nonce, G)
    r = x % N
    s = pow(nonce, -1, N) * (int.from_bytes(digest, "big") + r * key) % N
    parity = (y & 1) ^ (x >= N)
    if s > N // 2:
        s, parity = N - s, parity ^ 1
    return r, s, parity


def signature_hex(key, digest):
    r, s, parity = sign(key, digest)
    return "0x" + r.to_bytes(32, "big").hex() + s.to_bytes(32, "big").hex() + bytes([27 + parity]).hex()


# EIP-712

def encode_type(types, name):
    def walk(of, seen):
        for _, kind in types[of]:
            base = kind.split("[")[0]
            if base in types and base not in seen:
                seen.add(base)
                walk(base, seen)
        return seen

    others = sorted(walk(name, set()) - {name})
    return "".join(f"{n}({','.join(f'{kind} {field}' for field, kind in types[n])})" for n in [name, *others])


def encode_value(types, kind, value):
    if kind.endswith("[]"):
        return keccak256(b"".join(encode_value(types, kind[:-2], item) for item in value))
    if kind in types:
        return hash_struct(types, kind, value)
    if kind == "string":
        return keccak256(value.encode())
    if kind == "bytes":
        return keccak256(bytes.fromhex(value[2:]))
    if kind == "address":
        return int(value, 16).to_bytes(32, "big")
    assert kind == "uint256", kind
    return int(value).to_bytes(32, "big")


def hash_struct(types, name, value):
    body = b"".join(encode_value(types, kind, value[field]) for field, kind in types[name])
    return keccak256(keccak256(encode_type(types, name).encode()) + body)


DOMAIN_FIELDS = [
    ("name", "string"),
    ("version", "string"),
    ("chainId", "uint256"),
    ("verifyingContract", "address"),
]


def typed_digest(domain, types, primary, message):
    fields = {"EIP712Domain": [field for field in DOMAIN_FIELDS if field[0] in domain]}
    return keccak256(b"\x19\x01" + hash_struct(fields, "EIP712Domain", domain) + hash_struct(types, primary, message))


# EIP-7702, EIP-191, lanes

def rlp(item):
    if isinstance(item, list):
        body = b"".join(rlp(part) for part in item)
        return length_prefix(len(body), 0xC0) + body
    if len(item) == 1 and item[0] < 0x80:
        return item
    return length_prefix(len(item), 0x80) + item


def length_prefix(length, offset):
    if length < 56:
        return bytes([offset + length])
    size = length.to_bytes((length.bit_length() + 7) // 8, "big")
    return bytes([offset + 55 + len(size)]) + size


def integer(value):
    return value.to_bytes((value.bit_length() + 7) // 8, "big")


def authorization_digest(chain_id, address, nonce):
    return keccak256(b"\x05" + rlp([integer(chain_id), bytes.fromhex(address[2:]), integer(nonce)]))


def message_digest(text):
    data = text.encode()
    return keccak256(b"\x19Ethereum Signed Message:\n" + str(len(data)).encode() + data)


def lane_of(intent_id):
    return int.from_bytes(keccak256(intent_id.encode()), "big") & (2**192 - 1)


def check_against_published_values():
    assert keccak256(b"").hex() == "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"
    assert keccak256(b"abc").hex() == "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"
    assert keccak256(b"a" * 200) != keccak256(b"a" * 201)
    # The key 1 and its address; the example of EIP-712 ("Ether Mail") with the key keccak256("cow").
    assert address_of(1) == "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf"
    cow = int.from_bytes(keccak256(b"cow"), "big")
    assert address_of(cow) == "0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826"
    types = {
        "Person": [("name", "string"), ("wallet", "address")],
        "Mail": [("from", "Person"), ("to", "Person"), ("contents", "string")],
    }
    domain = {
        "name": "Ether Mail",
        "version": "1",
        "chainId": 1,
        "verifyingContract": "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC",
    }
    message = {
        "from": {"name": "Cow", "wallet": "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"},
        "to": {"name": "Bob", "wallet": "0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"},
        "contents": "Hello, Bob!",
    }
    digest = typed_digest(domain, types, "Mail", message)
    assert digest.hex() == "be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2"
    assert signature_hex(cow, digest) == (
        "0x4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d"
        "07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b915621c"
    )


BATCH_TYPES = {
    "Call": [("to", "address"), ("value", "uint256"), ("data", "bytes")],
    "Batch": [
        ("calls", "Call[]"),
        ("nonce", "uint256"),
        ("deadline", "uint256"),
        ("gasToken", "address"),
        ("minBalance", "uint256"),
    ],
}
DEPLOY_TYPES = {"CreateProxy": [("paymentToken", "address"), ("payment", "uint256"), ("paymentReceiver", "address")]}
ZERO = "0x" + "00" * 20


def batch_vector(key, intent_id, chain, calls, deadline, gas_token, min_balance, name="ServiceBatchExecutor", version="1"):
    authority = address_of(key)
    nonce = lane_of(intent_id) << 64
    domain = {"name": name, "version": version, "chainId": chain, "verifyingContract": authority}
    message = {"calls": calls, "nonce": nonce, "deadline": deadline, "gasToken": gas_token, "minBalance": min_balance}
    digest = typed_digest(domain, BATCH_TYPES, "Batch", message)
    return {
        "domainName": name,
        "domainVersion": version,
        "intentId": intent_id,
        "batch": {
            "originChainId": f"evm:{chain}",
            "authority": authority,
            "calls": calls,
            "batchNonce": str(nonce),
            "deadline": str(deadline),
            "gasToken": gas_token,
            "minBalance": str(min_balance),
        },
        "digest": "0x" + digest.hex(),
        "signature": signature_hex(key, digest),
    }


def authorization_vector(key, chain, address, nonce):
    digest = authorization_digest(chain, address, nonce)
    r, s, parity = sign(key, digest)
    return {
        "authority": address_of(key),
        "digest": "0x" + digest.hex(),
        "tuple": {
            "chainId": chain,
            "address": address,
            "nonce": nonce,
            "yParity": parity,
            "r": "0x" + r.to_bytes(32, "big").hex(),
            "s": "0x" + s.to_bytes(32, "big").hex(),
        },
    }


def text_vector(key, text):
    digest = message_digest(text)
    return {
        "signer": address_of(key),
        "text": text,
        "digest": "0x" + digest.hex(),
        "signature": signature_hex(key, digest),
    }


def deploy_vector(key, factory, name="ServiceVaultFactory", chain=137):
    domain = {"name": name, "chainId": chain, "verifyingContract": factory}
    message = {"paymentToken": ZERO, "payment": 0, "paymentReceiver": ZERO}
    digest = typed_digest(domain, DEPLOY_TYPES, "CreateProxy", message)
    return {
        "signer": address_of(key),
        "factory": factory,
        "name": name,
        "digest": "0x" + digest.hex(),
        "signature": signature_hex(key, digest),
    }


def vectors():
    # Keys made for this file: worthless.
    keys = [int.from_bytes(keccak256(f"pulsetop vector {i}".encode()), "big") % N for i in range(3)]
    token, helper, executor = ("0x" + keccak256(name)[12:].hex() for name in (b"token", b"helper", b"executor"))
    approve = {"to": token, "value": "0", "data": "0x095ea7b3" + bytes(12).hex() + helper[2:] + (50_000_000).to_bytes(32, "big").hex()}
    bridge = {"to": helper, "value": "0", "data": "0x" + keccak256(b"calldata").hex() * 7 + "ab"}
    batches = [
        batch_vector(keys[0], "k3v9x2a-qm48zt1-7bd", 8453, [approve, bridge], 1_790_000_000, token, 50_000_000),
        batch_vector(keys[1], "k3v9x2a-qm48zt1-7bd", 42161, [bridge], 1_790_000_000, token, 1),
        batch_vector(keys[0], "é-漢-🙂", 137, [], 0, ZERO, 0),
        batch_vector(keys[2], "a" * 200, 56, [approve, bridge, approve, bridge], 2**64 - 1, token, 2**256 - 1),
        batch_vector(keys[2], "", 4663, [{"to": helper, "value": "0", "data": "0x"}], 1, token, 10**18),
        batch_vector(keys[0], "other-domain", 8453, [approve], 5, token, 5, name="Some Executor", version="2"),
    ]
    authorizations = [
        authorization_vector(keys[0], 8453, executor, 0),
        authorization_vector(keys[1], 42161, executor, 1),
        authorization_vector(keys[2], 137, executor, 127),
        authorization_vector(keys[2], 1, executor, 128),
        authorization_vector(keys[0], 2**53 - 1, executor, 2**53 - 1),
    ]
    payload = json.dumps({"action": "cancel-order", "dex": "dexA", "n": "é\n"}, ensure_ascii=False, separators=(",", ":"))
    texts = [
        text_vector(keys[0], "api/2/perp/payloads/cancel-order-1790000000000"),
        text_vector(keys[1], "api/2/perp/payloads/create-account-1"),
        text_vector(keys[2], f"api/2/perp/execute-v2-1790000000123-{payload}"),
    ]
    ids = ["k3v9x2a-qm48zt1-7bd", "é-漢-🙂", "", "a" * 200]
    return {
        "lanes": [{"intentId": i, "lane": str(lane_of(i)), "batchNonce": str(lane_of(i) << 64)} for i in ids],
        "batches": batches,
        "authorizations": authorizations,
        "texts": texts,
        "executePayloadStr": payload,
        "deploys": [deploy_vector(keys[0], helper), deploy_vector(keys[1], executor, "Another Factory")],
    }


if __name__ == "__main__":
    check_against_published_values()
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text(json.dumps(vectors(), indent="\t", ensure_ascii=True) + "\n")
    print(f"wrote {path.name}")
