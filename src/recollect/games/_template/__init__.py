"""Seven Cards: the smallest game of memory. Copy this folder to begin a new one."""
