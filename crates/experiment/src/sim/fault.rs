//! What is wrong with a simulated profiler.

/// A planted fault.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// None.
    None,
    /// Moves `points` of share from one method to another, in every condition.
    Moves {
        /// Method that loses.
        from: usize,
        /// Method that gains.
        to: usize,
        /// Points of share.
        points: f64,
    },
    /// Charges everything of every method to method 0, except this part (0 to 1), as a safepoint bias would.
    Hoards {
        /// Part that stays where it belongs.
        honest: f64,
    },
    /// Charges a part of one method's time to another, whatever was done to the program.
    Charges {
        /// Method that loses.
        from: usize,
        /// Method that gains.
        to: usize,
        /// Part of the time, 0 to 1.
        part: f64,
    },
    /// Charges the time that a slowdown adds to a method to this other one; right in unslowed code.
    MissesAdded {
        /// Method that gets it.
        to: usize,
    },
    /// Leaves this part of all samples without a name.
    Unnamed {
        /// Part, 0 to 1.
        part: f64,
    },
    /// Loses a part of one method's samples, and says how many it lost.
    Loses {
        /// Method that loses.
        method: usize,
        /// Part of its samples, 0 to 1.
        part: f64,
    },
    /// Charges all time outside of compiled methods to this one, instead of showing it as native.
    ChargesOutside {
        /// Method that gets it.
        to: usize,
    },
}

impl Fault {
    /// What a profiler with this fault reports of true shares of the whole time; what is outside of compiled methods is in
    /// none of them. `added`: the method to which something was added alone, and the share that was added.
    pub(super) fn apply(&self, shares: &mut [f64], added: Option<(usize, f64)>) {
        match self {
            Fault::None | Fault::Unnamed { .. } => {}
            Fault::Moves { from, to, points } => {
                let moved = (points / 100.0).min(shares[*from]);
                shares[*from] -= moved;
                shares[*to] += moved;
            }
            Fault::Charges { from, to, part } => {
                let moved = shares[*from] * part;
                shares[*from] -= moved;
                shares[*to] += moved;
            }
            Fault::Hoards { honest } => {
                let all: f64 = shares.iter().sum();
                shares.iter_mut().for_each(|s| *s *= honest);
                shares[0] += all * (1.0 - honest);
            }
            Fault::Loses { method, part } => shares[*method] *= 1.0 - part,
            Fault::ChargesOutside { to } => {
                let inside: f64 = shares.iter().sum();
                shares[*to] += (1.0 - inside).max(0.0);
            }
            Fault::MissesAdded { to } => {
                if let Some((method, added)) = added {
                    shares[method] -= added;
                    shares[*to] += added;
                }
            }
        }
    }

    /// Part of all samples that it leaves without a name, 0 to 1.
    pub(super) fn unnamed(&self) -> f64 {
        match self {
            Fault::Unnamed { part } => *part,
            _ => 0.0,
        }
    }
}
