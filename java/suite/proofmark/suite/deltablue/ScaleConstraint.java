package proofmark.suite.deltablue;

/** Keeps {@code second = first * scale + offset}; scale and offset are never computed. */
final class ScaleConstraint extends BinaryConstraint {
    private final Variable scale;
    private final Variable offset;

    ScaleConstraint(Variable first, Variable scale, Variable offset, Variable second, Strength strength) {
        super(first, second, strength);
        this.scale = scale;
        this.offset = offset;
    }

    @Override
    void enterGraph() {
        super.enterGraph();
        scale.constraints().add(this);
        offset.constraints().add(this);
    }

    @Override
    void leaveGraph() {
        super.leaveGraph();
        scale.constraints().remove(this);
        offset.constraints().remove(this);
    }

    @Override
    void markInputs(int mark) {
        super.markInputs(mark);
        scale.setMark(mark);
        offset.setMark(mark);
    }

    @Override
    boolean inputsAreKnown(int mark) {
        return super.inputsAreKnown(mark) && scale.isKnown(mark) && offset.isKnown(mark);
    }

    @Override
    boolean inputsStay() {
        return super.inputsStay() && scale.stays() && offset.stays();
    }

    @Override
    void execute() {
        if (flowsForward()) {
            second().setValue(first().value() * scale.value() + offset.value());
        } else {
            first().setValue((second().value() - offset.value()) / scale.value());
        }
    }
}
