"""The slots of Redis Cluster that have accounts' keys."""

ALL = ((0, 16383),)
# The default of DIALTONE_SHARDS.
SHARDS = 64


def of_account(project, uid):
    """The slot of an account's keys `{uN}`. The shard N is computed as in `Identities.swift`, by 64-bit FNV-1a."""
    shard = 0xCBF29CE484222325
    for byte in f"{project}/{uid}".encode():
        shard = (shard ^ byte) * 0x100000001B3 % 2**64
    return crc16(b"u%d" % (shard % SHARDS)) % 16384


def contain(ranges, slot):
    return any(first <= slot <= last for first, last in ranges)


def crc16(text):
    """CRC-16/XMODEM, as the specification of Redis Cluster requires."""
    crc = 0
    for byte in text:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc
