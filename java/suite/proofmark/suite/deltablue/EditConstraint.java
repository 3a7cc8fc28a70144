package proofmark.suite.deltablue;

/** Lets the outside set a variable. */
final class EditConstraint extends UnaryConstraint {
    EditConstraint(Variable variable, Strength strength) {
        super(variable, strength);
    }

    @Override
    boolean isInput() {
        return true;
    }
}
