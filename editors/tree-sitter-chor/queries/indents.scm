(block "{" @indent.begin "}" @indent.end)
