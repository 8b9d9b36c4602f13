;;; choros.el --- Starts `choros lsp' for the languages of Choros  -*- lexical-binding: t; -*-

;; For Emacs 29 or later, with Eglot.

;;; Code:

(require 'eglot)

(define-derived-mode choros-mode prog-mode "Choros"
  "A mode for the languages of Choros: the server does the work."
  (setq-local comment-start "// "))

(dolist (extension '("abs" "chor" "contract" "cows" "fsa" "gc" "pact" "prop" "schora" "socl" "solve" "tp"))
  (add-to-list 'auto-mode-alist
               (cons (concat "\\." extension "\\'") 'choros-mode)))

(add-to-list 'eglot-server-programs '(choros-mode . ("choros" "lsp")))
(add-hook 'choros-mode-hook #'eglot-ensure)

(provide 'choros)
;;; choros.el ends here
