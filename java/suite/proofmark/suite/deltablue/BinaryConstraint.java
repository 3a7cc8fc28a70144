package proofmark.suite.deltablue;

/** A constraint between two variables, either of which can be computed from the other. */
abstract class BinaryConstraint extends Constraint {
    /** Which way the values flow. */
    private enum Direction {
        NONE,
        FORWARD,
        BACKWARD
    }

    private final Variable first;
    private final Variable second;
    private Direction direction = Direction.NONE;

    BinaryConstraint(Variable first, Variable second, Strength strength) {
        super(strength);
        this.first = first;
        this.second = second;
    }

    final Variable first() {
        return first;
    }

    final Variable second() {
        return second;
    }

    final boolean flowsForward() {
        return direction == Direction.FORWARD;
    }

    final Variable input() {
        return flowsForward() ? first : second;
    }

    @Override
    final Variable output() {
        return flowsForward() ? second : first;
    }

    @Override
    boolean isSatisfied() {
        return direction != Direction.NONE;
    }

    @Override
    void markUnsatisfied() {
        direction = Direction.NONE;
    }

    @Override
    void enterGraph() {
        first.constraints().add(this);
        second.constraints().add(this);
    }

    @Override
    void leaveGraph() {
        first.constraints().remove(this);
        second.constraints().remove(this);
        direction = Direction.NONE;
    }

    @Override
    void chooseMethod(int mark) {
        direction = directionFor(mark);
    }

    private Direction directionFor(int mark) {
        if (first.hasMark(mark)) {
            return !second.hasMark(mark) && canOverride(second) ? Direction.FORWARD : Direction.NONE;
        }
        if (second.hasMark(mark)) {
            return canOverride(first) ? Direction.BACKWARD : Direction.NONE;
        }
        if (second.walkStrength().isStrongerThan(first.walkStrength())) {
            return canOverride(first) ? Direction.BACKWARD : Direction.NONE;
        }
        return canOverride(second) ? Direction.FORWARD : Direction.NONE;
    }

    private boolean canOverride(Variable variable) {
        return strength().isStrongerThan(variable.walkStrength());
    }

    @Override
    void markInputs(int mark) {
        input().setMark(mark);
    }

    @Override
    boolean inputsAreKnown(int mark) {
        return input().isKnown(mark);
    }

    @Override
    void recalculate() {
        Variable output = output();
        output.setWalkStrength(strength().weaker(input().walkStrength()));
        output.setStay(inputsStay());
        if (output.stays()) {
            execute();
        }
    }

    boolean inputsStay() {
        return input().stays();
    }
}
