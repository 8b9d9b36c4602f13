//! The text of the data language: tokens, expressions, their parser.
//!
//! Model languages embed expressions, so they share this lexer and call [`Parser::expression`] from their own
//! parsers, over one stream of tokens.

mod depth;
mod expression;
mod lexicon;
mod parser;
mod print;
mod token;

pub use depth::DEPTH_LIMIT;
pub use expression::{Binary, ExprId, ExprKind, Expression, Exprs, SortExpr, SortExprId, Unary};
pub use lexicon::EXPRESSIONS;
pub use parser::Parser;
pub use token::{Token, TokenKind, is_identifier, lex, unquote};
