"""The reference implementation: what someone reads to learn the specifications."""
