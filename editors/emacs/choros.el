;;; choros.el --- Starts `choros lsp' for the languages of Choros  -*- lexical-binding: t; -*-

;; For Emacs 29 or later, or 26 or later with the package Eglot.

;;; Code:

(require 'eglot)

(defvar choros-command "choros"
  "The command choros.")

(defvar choros-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?\" "\"" table)
    table)
  "Comments and texts, for all languages of Choros.")

(define-derived-mode choros-mode prog-mode "Choros"
  "A mode for the languages of Choros: the server does the work."
  (setq-local comment-start "// ")
  (setq-local indent-tabs-mode nil))

(dolist (extension '("abs" "aut" "chor" "contract" "cows" "fsa" "gc" "pact" "prop" "schora" "socl" "solve" "stg" "tp"))
  (add-to-list 'auto-mode-alist
               (cons (concat "\\." extension "\\'") 'choros-mode)))

;; Bindings stay TOML, which has colours of its own.
(define-derived-mode choros-bind-mode conf-toml-mode "Choros binding"
  "A mode for bindings: the server does the work.")
(add-to-list 'auto-mode-alist '("\\.bind\\.toml\\'" . choros-bind-mode))
(add-hook 'choros-bind-mode-hook #'eglot-ensure)

(add-to-list 'eglot-server-programs
             (cons '(choros-mode choros-bind-mode) (lambda (&rest _) (list choros-command "lsp"))))
(add-hook 'choros-mode-hook #'eglot-ensure)

(defun choros-ask (line)
  "Ask any verb about this file: LINE is what would follow `choros' on the command line, without the file."
  (interactive "schoros ")
  (let* ((words (split-string line))
         (question (list :verb (car words) :args (vconcat (cdr words))
                         :uri (eglot--path-to-uri buffer-file-name)))
         (answer (jsonrpc-request (eglot--current-server-or-lose) :workspace/executeCommand
                                  (list :command "choros.run" :arguments (vector question)))))
    (with-current-buffer (get-buffer-create "*choros*")
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert (plist-get answer :text)))
      (special-mode)
      (display-buffer (current-buffer)))))

(provide 'choros)
;;; choros.el ends here
