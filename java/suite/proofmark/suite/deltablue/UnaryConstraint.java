package proofmark.suite.deltablue;

/** A constraint on one variable. */
abstract class UnaryConstraint extends Constraint {
    private final Variable variable;
    private boolean satisfied;

    UnaryConstraint(Variable variable, Strength strength) {
        super(strength);
        this.variable = variable;
    }

    @Override
    boolean isSatisfied() {
        return satisfied;
    }

    @Override
    void markUnsatisfied() {
        satisfied = false;
    }

    @Override
    void enterGraph() {
        variable.constraints().add(this);
    }

    @Override
    void leaveGraph() {
        variable.constraints().remove(this);
        satisfied = false;
    }

    @Override
    void chooseMethod(int mark) {
        satisfied = !variable.hasMark(mark) && strength().isStrongerThan(variable.walkStrength());
    }

    @Override
    void markInputs(int mark) {
        // it has none
    }

    @Override
    boolean inputsAreKnown(int mark) {
        return true;
    }

    @Override
    Variable output() {
        return variable;
    }

    @Override
    void execute() {
        // the value is set from outside, or stays
    }

    @Override
    void recalculate() {
        variable.setWalkStrength(strength());
        variable.setStay(!isInput());
    }
}
