//! Values as XML and back, on random schemas; formulas against computations.

mod random;

use choros_data::{Assignment, Value};
use choros_testkit::{Random, seed_from_env};
use choros_xml::wire::{read_text, write_element};
use random::{Obedience, value, world};

#[test]
fn what_is_written_is_read_back() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    for round in 0..400 {
        let Some(world) = world(&mut random) else {
            continue;
        };
        let schema = &world.definitions.schema;
        for _ in 0..5 {
            let value = value(
                &mut random,
                schema,
                &world.terms,
                world.holds,
                Obedience::Valid,
            );
            let text =
                match write_element(schema, &world.terms, &world.root, world.holds, &value, 0) {
                    Ok(text) => text,
                    Err(error) => panic!(
                        "CHOROS_SEED={seed}, round {round}: {error}\n{}\n{}",
                        world.text,
                        world.terms.print_value(&value)
                    ),
                };
            let back = read_text(schema, &world.terms, &world.root, world.holds, &text);
            assert_eq!(
                back.as_ref(),
                Ok(&value),
                "CHOROS_SEED={seed}, round {round}\n{}\n{text}\n{:?}",
                world.text,
                back.as_ref().err()
            );
        }
    }
}

#[test]
fn formulas_and_computations_agree() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    let (mut obeyed, mut broken) = (0, 0);
    for round in 0..400 {
        let Some(mut world) = world(&mut random) else {
            continue;
        };
        let schema = &world.definitions.schema;
        let constraint = schema.constraint(&mut world.terms, world.holds, "x");
        for number in 0..20 {
            let obedience = match number % 4 {
                0 => Obedience::Valid,
                _ => Obedience::Any,
            };
            let value = value(&mut random, schema, &world.terms, world.holds, obedience);
            let violations = schema.check(&world.terms, world.holds, &value);
            let formula = match constraint {
                None => Ok(Value::Bool(true)),
                Some((variable, formula)) => {
                    let assignment = Assignment::from_iter([(variable, value.clone())]);
                    world.terms.evaluate(formula, &assignment)
                }
            };
            assert_eq!(
                formula,
                Ok(Value::Bool(violations.is_empty())),
                "CHOROS_SEED={seed}, round {round}\n{}\n{}\n{violations:?}",
                world.text,
                world.terms.print_value(&value)
            );
            if violations.is_empty() {
                obeyed += 1
            } else {
                broken += 1
            }
        }
    }
    assert!(obeyed > 1000 && broken > 1000, "{obeyed} {broken}");
}
