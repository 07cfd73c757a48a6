"""The resampling test over HTTP: what somebody may not know must not change any answer of the server.

Two worlds differ only in what the asker may not know: the seed of the match, its hidden state at every step of its log,
the hidden actions of other seats, and the secret arguments of events. Two processes serve one world each and answer the
same requests, on a clock and with identifiers that are the same in both. Every answer must be the same to the byte.
"""
