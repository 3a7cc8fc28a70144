package proofmark.suite.deltablue;

/** A relation between variables that can be kept by computing one of them from the others. */
abstract class Constraint {
    private final Strength strength;

    Constraint(Strength strength) {
        this.strength = strength;
    }

    final Strength strength() {
        return strength;
    }

    /** Whether the value of the output comes from outside the graph. */
    boolean isInput() {
        return false;
    }

    abstract boolean isSatisfied();

    abstract void markUnsatisfied();

    abstract void enterGraph();

    abstract void leaveGraph();

    /** Decides which variable to compute, if any may be, given those that were marked already. */
    abstract void chooseMethod(int mark);

    abstract void markInputs(int mark);

    abstract boolean inputsAreKnown(int mark);

    /** The variable that is computed while the constraint is satisfied. */
    abstract Variable output();

    /** Computes the output. */
    abstract void execute();

    /** Computes the output's strength, whether it stays, and if so its value. */
    abstract void recalculate();
}
