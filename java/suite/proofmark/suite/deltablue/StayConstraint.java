package proofmark.suite.deltablue;

/** Wishes that a variable keeps its value. */
final class StayConstraint extends UnaryConstraint {
    StayConstraint(Variable variable, Strength strength) {
        super(variable, strength);
    }
}
