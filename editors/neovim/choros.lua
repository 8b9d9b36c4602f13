-- Starts `choros lsp` for the languages of Choros; for Neovim 0.11 or later.
local languages = {
  'abs', 'bpel', 'chor', 'contract', 'cows', 'fsa', 'gc', 'pact', 'prop', 'schora', 'socl', 'solve', 'tp',
}

for _, language in ipairs(languages) do
  vim.filetype.add({ extension = { [language] = 'choros-' .. language } })
end

local filetypes = vim.tbl_map(function(language) return 'choros-' .. language end, languages)

vim.lsp.config('choros', {
  cmd = { 'choros', 'lsp' },
  filetypes = filetypes,
  root_markers = { 'choros.toml', '.git' },
})
vim.lsp.enable('choros')

-- The server answers with the report as text: it is shown in a buffer of its own.
for _, verb in ipairs({ 'check', 'explore', 'realize', 'draw' }) do
  vim.lsp.commands['choros.' .. verb] = function(command, context)
    local client = assert(vim.lsp.get_client_by_id(context.client_id))
    client:request('workspace/executeCommand', {
      command = command.command,
      arguments = command.arguments,
    }, function(failure, answer)
      if failure then
        vim.notify(failure.message, vim.log.levels.WARN)
        return
      end
      vim.cmd.new()
      vim.bo.buftype = 'nofile'
      vim.bo.bufhidden = 'wipe'
      vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(answer.text, '\n'))
    end, context.bufnr)
  end
end
