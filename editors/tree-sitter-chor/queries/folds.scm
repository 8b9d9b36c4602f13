[
  (block)
  (block_comment)
] @fold
