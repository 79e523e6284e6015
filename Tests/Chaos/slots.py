"""The slots of Redis Cluster that have accounts' keys."""

import binascii

ALL = ((0, 16383),)
# The default of DIALTONE_SHARDS.
SHARDS = 64


def of_account(project, uid):
    """The slot of an account's keys `{u/N}`. The shard N is computed as in `Identities.swift`, by 64-bit FNV-1a."""
    shard = 0xCBF29CE484222325
    for byte in f"{project}/{uid}".encode():
        shard = (shard ^ byte) * 0x100000001B3 % 2**64
    # The specification of Redis Cluster requires CRC-16/XMODEM.
    return binascii.crc_hqx(b"u/%d" % (shard % SHARDS), 0) % 16384


def contain(ranges, slot):
    return any(first <= slot <= last for first, last in ranges)
