//! Negation, conjunction, disjunction.

use rustc_hash::{FxHashMap, FxHashSet};

use super::atoms::{Atom, Meeting};
use crate::{Op, Quantifier, Sort, Term, TermKind, Terms};

impl Terms {
    /// The negation of a simplified formula, in negation normal form.
    ///
    /// A stack of its own instead of recursion: implications nest as deep as the input likes.
    pub(super) fn negation(&mut self, term: Term) -> Term {
        let mut negated: FxHashMap<Term, Term> = FxHashMap::default();
        let mut pending = vec![term];
        while let Some(&current) = pending.last() {
            if negated.contains_key(&current) {
                pending.pop();
                continue;
            }
            let needed: Vec<Term> = match self.kind(current) {
                TermKind::Apply(Op::And | Op::Or, arguments) => arguments.to_vec(),
                TermKind::Apply(Op::If, &[_, yes, no]) => vec![yes, no],
                TermKind::Quantified(_, _, body) => vec![body],
                _ => Vec::new(),
            };
            let missing: Vec<Term> = needed
                .iter()
                .copied()
                .filter(|argument| !negated.contains_key(argument))
                .collect();
            if missing.is_empty() {
                pending.pop();
                let result = self.negation_here(current, &negated);
                negated.insert(current, result);
            } else {
                pending.extend(missing);
            }
        }
        negated[&term]
    }

    /// The negation of a formula whose parts have been negated.
    fn negation_here(&mut self, term: Term, negated: &FxHashMap<Term, Term>) -> Term {
        match self.kind(term) {
            TermKind::Apply(Op::Not, &[inner]) => inner,
            TermKind::Apply(op @ (Op::And | Op::Or), arguments) => {
                let arguments: Vec<Term> =
                    arguments.iter().map(|argument| negated[argument]).collect();
                if op == Op::And {
                    self.disjunction(&arguments)
                } else {
                    self.conjunction(&arguments)
                }
            }
            TermKind::Apply(Op::If, &[condition, yes, no]) => {
                let (yes, no) = (negated[&yes], negated[&no]);
                self.simple_if(condition, yes, no)
            }
            TermKind::Apply(op, &[left, right]) => match op.opposite() {
                Some(op) => self.apply(op, Sort::BOOL, &[left, right]),
                None => self.not(term),
            },
            TermKind::Quantified(quantifier, bound, body) => {
                let dual = match quantifier {
                    Quantifier::Forall => Quantifier::Exists,
                    Quantifier::Exists => Quantifier::Forall,
                };
                let bound: Vec<_> = bound
                    .iter()
                    .filter_map(|&variable| self.as_variable(variable))
                    .collect();
                self.quantify(dual, &bound, negated[&body])
            }
            _ => self.not(term),
        }
    }

    pub(super) fn conjunction(&mut self, arguments: &[Term]) -> Term {
        self.connective_of_simple(Op::And, arguments)
    }

    pub(super) fn disjunction(&mut self, arguments: &[Term]) -> Term {
        self.connective_of_simple(Op::Or, arguments)
    }

    fn connective_of_simple(&mut self, op: Op, arguments: &[Term]) -> Term {
        let (absorbing, other) = match op {
            Op::And => (Term::FALSE, Op::Or),
            _ => (Term::TRUE, Op::And),
        };
        let joined = match op {
            Op::And => self.and(arguments.iter().copied()),
            _ => self.or(arguments.iter().copied()),
        };
        let TermKind::Apply(found, operands) = self.kind(joined) else {
            return joined;
        };
        if found != op {
            return joined;
        }
        let operands = operands.to_vec();
        if operands.contains(&absorbing) {
            return absorbing;
        }
        let present: FxHashSet<Term> = operands.iter().copied().collect();
        let contradicts = operands.iter().any(|&operand| match self.kind(operand) {
            TermKind::Apply(Op::Not, &[inner]) => present.contains(&inner),
            _ => false,
        });
        if contradicts {
            return absorbing;
        }
        // Absorption: `a and (a or b)` is `a`.
        let mut kept: Vec<Term> = operands
            .iter()
            .copied()
            .filter(|&operand| match self.kind(operand) {
                TermKind::Apply(inner, parts) if inner == other => {
                    !parts.iter().any(|part| present.contains(part))
                }
                _ => true,
            })
            .collect();
        if self.merge_atoms(op, &mut kept) {
            return absorbing;
        }
        self.merge_orders(op, &mut kept);
        match op {
            Op::And => self.and(kept),
            _ => self.or(kept),
        }
    }

    /// Says `x == y` for `x <= y and x >= y`, and `x != y` for `x < y or x > y`.
    fn merge_orders(&mut self, op: Op, operands: &mut Vec<Term>) {
        // Looking for a partner is quadratic; long conjunctions are not read by people anyway.
        if operands.len() > 64 {
            return;
        }
        let mut position = 0;
        while position < operands.len() {
            let TermKind::Apply(order, &[left, right]) = self.kind(operands[position]) else {
                position += 1;
                continue;
            };
            let (counterpart, merged) = match (op, order) {
                (Op::And, Op::LessEqual | Op::GreaterEqual) => (order.mirrored(), Op::Equal),
                (Op::Or, Op::Less | Op::Greater) => (order.mirrored(), Op::NotEqual),
                _ => {
                    position += 1;
                    continue;
                }
            };
            let same_sides = self.apply(counterpart, Sort::BOOL, &[left, right]);
            let other_sides = self.apply(order, Sort::BOOL, &[right, left]);
            let partner = operands
                .iter()
                .position(|&operand| operand == same_sides || operand == other_sides);
            if let Some(partner) = partner.filter(|&partner| partner != position) {
                operands[position] = self.compare(merged, left, right);
                operands.remove(partner);
                position = position.min(partner);
            } else {
                position += 1;
            }
        }
    }

    /// Drops comparisons that others make superfluous, and says `x == 5` for `x > 4 and x < 6`; answers whether two of
    /// them absorb everything.
    fn merge_atoms(&mut self, op: Op, operands: &mut Vec<Term>) -> bool {
        let mut groups: FxHashMap<Term, Vec<(usize, Atom)>> = FxHashMap::default();
        let mut dropped = vec![false; operands.len()];
        for (index, &operand) in operands.iter().enumerate() {
            let Some((subject, atom)) = self.as_atom(operand) else {
                continue;
            };
            let group = groups.entry(subject).or_default();
            // Comparisons of one term with many constants are rare; beyond this they are left alone, so that
            // simplifying stays linear.
            if group.len() >= 16 {
                continue;
            }
            for (earlier, other) in group.iter() {
                if dropped[*earlier] {
                    continue;
                }
                match (op, other.meets(&atom)) {
                    (_, Meeting::Complementary)
                    | (Op::And, Meeting::Disjoint)
                    | (Op::Or, Meeting::CoversAll) => return true,
                    (Op::And, Meeting::FirstWithinSecond)
                    | (Op::Or, Meeting::SecondWithinFirst) => {
                        dropped[index] = true;
                        break;
                    }
                    (Op::And, Meeting::SecondWithinFirst)
                    | (Op::Or, Meeting::FirstWithinSecond) => dropped[*earlier] = true,
                    _ => {}
                }
            }
            group.push((index, atom));
        }
        let mut replaced: Vec<(usize, Term)> = Vec::new();
        #[expect(
            clippy::iter_over_hash_type,
            reason = "each subject is examined on its own"
        )]
        for (subject, group) in groups {
            let mut kept = group.iter().filter(|(index, _)| !dropped[*index]);
            let (Some((first, one)), Some((second, other)), None) =
                (kept.next(), kept.next(), kept.next())
            else {
                continue;
            };
            if let Some(number) = one.single_number(other, op) {
                let number = self.number_term(self.sort_of(subject), number);
                let comparison = if op == Op::And {
                    Op::Equal
                } else {
                    Op::NotEqual
                };
                replaced.push((*first, self.compare(comparison, subject, number)));
                dropped[*second] = true;
            }
        }
        for (index, term) in replaced {
            operands[index] = term;
        }
        let mut index = 0;
        operands.retain(|_| {
            index += 1;
            !dropped[index - 1]
        });
        false
    }
}
