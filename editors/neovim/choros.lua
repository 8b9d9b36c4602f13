-- Starts `choros lsp` for the languages of Choros; for Neovim 0.7 or later.
local languages = {
  'abs', 'aut', 'bpel', 'chor', 'contract', 'cows', 'fsa', 'gc', 'pact', 'prop', 'schora', 'socl', 'solve', 'stg', 'tp',
}
local command = vim.g.choros_command or 'choros'

local function root_of(path)
  local folder = vim.fn.fnamemodify(path, ':p:h')
  for _, marker in ipairs({ 'choros.toml', '.git' }) do
    local found = vim.fn.findfile(marker, folder .. ';')
    if found == '' then
      found = vim.fn.finddir(marker, folder .. ';')
    end
    if found ~= '' then
      return vim.fn.fnamemodify(found, ':p:h')
    end
  end
  return folder
end

-- One server for each folder.
local clients = {}
local function start(buffer)
  local root = root_of(vim.api.nvim_buf_get_name(buffer))
  local config = { name = 'choros', cmd = { command, 'lsp' }, root_dir = root }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
    return
  end
  -- Neovim 0.7
  local id = clients[root]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = vim.lsp.start_client(config)
    clients[root] = id
  end
  vim.lsp.buf_attach_client(buffer, id)
end

local group = vim.api.nvim_create_augroup('choros', {})
for _, language in ipairs(languages) do
  vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
    group = group,
    pattern = '*.' .. language,
    callback = function(event)
      local buffer = event and event.buf or vim.api.nvim_get_current_buf()
      vim.api.nvim_buf_set_option(buffer, 'filetype', 'choros-' .. language)
      vim.api.nvim_buf_set_option(buffer, 'commentstring', '// %s')
      start(buffer)
    end,
  })
end

-- Bindings stay TOML, which has colours of its own.
vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
  group = group,
  pattern = '*.bind.toml',
  callback = function(event)
    start(event and event.buf or vim.api.nvim_get_current_buf())
  end,
})

local function show(answer)
  vim.cmd('new')
  vim.bo.buftype = 'nofile'
  vim.bo.bufhidden = 'wipe'
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(answer.text, '\n'))
end

local function ask(id, buffer, question)
  local client = assert(vim.lsp.get_client_by_id(id))
  client.request('workspace/executeCommand', question, function(failure, answer)
    if failure then
      vim.notify(failure.message, vim.log.levels.WARN)
    elseif answer then
      show(answer)
    end
  end, buffer)
end

-- What lenses ask: the server answers with the report as text, which is shown in a buffer of its own.
for _, verb in ipairs({ 'check', 'explore', 'realize', 'draw', 'drive' }) do
  vim.lsp.commands['choros.' .. verb] = function(lens, context)
    ask(context.client_id, context.bufnr, { command = lens.command, arguments = lens.arguments })
  end
end

-- `:Choros realize --mode sender` asks any verb about the file.
vim.api.nvim_create_user_command('Choros', function(call)
  local buffer = vim.api.nvim_get_current_buf()
  local words = vim.split(call.args, '%s+', { trimempty = true })
  local verb = table.remove(words, 1)
  for id, client in pairs(vim.lsp.buf_get_clients(buffer)) do
    if client.name == 'choros' then
      local question = { verb = verb, args = words, uri = vim.uri_from_bufnr(buffer) }
      ask(id, buffer, { command = 'choros.run', arguments = { question } })
      return
    end
  end
  vim.notify('choros is not running here', vim.log.levels.WARN)
end, { nargs = '+' })
