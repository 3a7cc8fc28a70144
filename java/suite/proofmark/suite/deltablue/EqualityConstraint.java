package proofmark.suite.deltablue;

/** Keeps two variables equal. */
final class EqualityConstraint extends BinaryConstraint {
    EqualityConstraint(Variable first, Variable second, Strength strength) {
        super(first, second, strength);
    }

    @Override
    void execute() {
        output().setValue(input().value());
    }
}
