-- Run by scripts/test-editors.sh: a mistake is shown, a verb is asked.
local function wait(what, is_there)
  if not vim.wait(60000, is_there, 50) then
    print('no ' .. what)
    vim.cmd('cquit 1')
  end
end

vim.cmd('edit ' .. os.getenv('CHOROS_TEST_FILE'))
local buffer = vim.api.nvim_get_current_buf()
wait('finding', function() return #vim.diagnostic.get(buffer) > 0 end)
local finding = vim.diagnostic.get(buffer)[1]
print(string.format('line %d: %s', finding.lnum + 1, finding.message:gsub('\n.*', '')))
if not finding.message:find('`c`') or finding.lnum ~= 1 then
  vim.cmd('cquit 1')
end

-- Mended, it is gone.
vim.api.nvim_buf_set_lines(buffer, 1, 2, false, { '    a -> b: M' })
wait('mend', function() return #vim.diagnostic.get(buffer) == 0 end)

vim.cmd('Choros explore')
wait('answer', function()
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  return vim.api.nvim_get_current_buf() ~= buffer and text:find('transitions') ~= nil
end)
print('answered')
vim.cmd('qall!')
