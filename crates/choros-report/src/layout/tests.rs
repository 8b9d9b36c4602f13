use super::*;

fn random_plan(seed: u64, boxes: usize, links: usize) -> Plan {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % limit as u64) as usize
    };
    let mut plan = Plan::default();
    for _ in 0..boxes {
        let half = 16.0 + next(40) as f64;
        let height = 32.0 + next(30) as f64;
        plan.boxes.push(BoxSize {
            left: half,
            right: half + next(60) as f64,
            height,
            ports: half - 6.0,
            half_width: half,
            shape_height: 32.0,
        });
    }
    for _ in 0..links {
        let (source, target) = (next(boxes), next(boxes));
        if source != target {
            plan.links.push(Link {
                source,
                target,
                label: Some((10.0 + next(120) as f64, 14.5 * (1 + next(3)) as f64)),
            });
        }
    }
    plan
}

/// Boxes and labels as rectangles: left, top, right, bottom.
fn rectangles(plan: &Plan, layout: &Layout) -> Vec<[f64; 4]> {
    let boxes = plan.boxes.iter().zip(&layout.boxes).map(|(size, at)| {
        let half = size.height / 2.0;
        [
            at.x - size.left,
            at.y - half,
            at.x + size.right,
            at.y + half,
        ]
    });
    let labels = plan.links.iter().zip(&layout.routes).map(|(link, route)| {
        let (width, height) = link.label.unwrap_or_default();
        let at = route.label.unwrap_or_default();
        [at.x, at.y, at.x + width, at.y + height]
    });
    boxes.chain(labels).collect()
}

fn overlap(one: &[f64; 4], other: &[f64; 4]) -> bool {
    let slack = 0.01;
    one[0] + slack < other[2]
        && other[0] + slack < one[2]
        && one[1] + slack < other[3]
        && other[1] + slack < one[3]
}

#[test]
fn nothing_overlaps_whatever_the_graph() {
    for seed in 0..150u64 {
        let boxes = 2 + (seed as usize * 7) % 40;
        let plan = random_plan(seed, boxes, 1 + boxes * (1 + seed as usize % 3));
        let placed = layout(&plan).unwrap_or_default();
        let rectangles = rectangles(&plan, &placed);
        for (index, one) in rectangles.iter().enumerate() {
            for other in &rectangles[index + 1..] {
                assert!(!overlap(one, other), "seed {seed}: {one:?} and {other:?}");
            }
            let inside = one[0] >= -0.01
                && one[1] >= -0.01
                && one[2] <= placed.width + 0.01
                && one[3] <= placed.height + 0.01;
            assert!(inside, "seed {seed}: {one:?} leaves the picture");
        }
        // Straight pieces of a line touch no label and no box but its own ends.
        for (link, route) in plan.links.iter().zip(&placed.routes) {
            let inner = &route.pieces[1..route.pieces.len() - 1];
            for &(x, from, to) in inner.iter().filter(|piece| piece.2 - piece.1 > 0.1) {
                let line = [x - 0.5, from, x + 0.5, to];
                let hit = rectangles.iter().find(|it| overlap(it, &line));
                assert!(hit.is_none(), "seed {seed}: {link:?} runs through {hit:?}");
            }
        }
    }
}

#[test]
fn the_same_plan_gives_the_same_layout() {
    let plan = random_plan(7, 30, 70);
    let (one, other) = (layout(&plan), layout(&plan));
    assert_eq!(format!("{one:?}"), format!("{other:?}"));
}

#[test]
fn a_tree_has_no_crossings() {
    let mut plan = random_plan(3, 40, 0);
    for child in 1..40 {
        plan.links.push(Link {
            source: (child - 1) / 3,
            target: child,
            label: Some((30.0, 14.5)),
        });
    }
    let flipped = acyclic::flipped(&plan);
    let ranks = rank::ranks(&plan, &flipped);
    let Some(mut layers) = layers::Layers::new(&plan, &flipped, &ranks, MAX_VERTICES) else {
        panic!("40 boxes are few");
    };
    order::reduce_crossings(&mut layers);
    assert_eq!(crossings::crossings(&layers), 0);
}

#[test]
fn crossings_are_counted_as_a_naive_count_does() {
    for seed in 0..40 {
        let plan = random_plan(seed, 12, 30);
        let flipped = acyclic::flipped(&plan);
        let ranks = rank::ranks(&plan, &flipped);
        let Some(layers) = layers::Layers::new(&plan, &flipped, &ranks, MAX_VERTICES) else {
            panic!("12 boxes are few");
        };
        let mut lines = Vec::new();
        for (upper, lowers) in layers.below.iter().enumerate() {
            for &lower in lowers {
                let row = layers.vertices[upper].row;
                let ends = (layers.position[upper], layers.position[lower as usize]);
                lines.push((row, ends));
            }
        }
        let mut naive = 0;
        for (index, one) in lines.iter().enumerate() {
            for other in &lines[index + 1..] {
                let crossed = (one.1.0 < other.1.0 && one.1.1 > other.1.1)
                    || (one.1.0 > other.1.0 && one.1.1 < other.1.1);
                naive += u64::from(one.0 == other.0 && crossed);
            }
        }
        assert_eq!(crossings::crossings(&layers), naive, "seed {seed}");
    }
}

#[test]
fn links_go_down_unless_they_close_a_cycle() {
    let mut plan = random_plan(1, 4, 0);
    for (source, target) in [(0, 1), (1, 2), (2, 0), (2, 3)] {
        plan.links.push(Link {
            source,
            target,
            label: Some((20.0, 14.5)),
        });
    }
    assert_eq!(acyclic::flipped(&plan), [false, false, true, false]);
    let placed = layout(&plan).unwrap_or_default();
    let heights: Vec<f64> = placed.boxes.iter().map(|at| at.y).collect();
    assert!(heights.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn large_graphs_are_laid_out_or_refused_in_time() {
    let started = std::time::Instant::now();
    // A chain whose end leads back to every state: 10,000 × 5,000 bends.
    let mut plan = random_plan(1, 10_000, 0);
    for index in 1..10_000 {
        let label = Some((20.0, 14.5));
        plan.links.push(Link {
            source: index - 1,
            target: index,
            label,
        });
        plan.links.push(Link {
            source: 9_999,
            target: index - 1,
            label,
        });
    }
    plan.links.pop();
    assert_eq!(layout(&plan).err(), Some(TooLarge));
    // A tree of 10,000 states with five branches.
    let mut plan = random_plan(2, 10_000, 0);
    for child in 1..10_000 {
        plan.links.push(Link {
            source: (child - 1) / 5,
            target: child,
            label: Some((60.0, 29.0)),
        });
    }
    assert!(layout(&plan).is_ok());
    // Generous: tests are not optimised, and machines are busy.
    assert!(started.elapsed().as_secs() < 60);
}
