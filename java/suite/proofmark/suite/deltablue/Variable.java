package proofmark.suite.deltablue;

import proofmark.suite.collections.Sequence;

/** A constrained variable with what the solver has to know about it. */
final class Variable {
    private final Sequence<Constraint> constraints = new Sequence<>();
    private int value;
    private Constraint determinedBy;
    private int mark;
    private Strength walkStrength = Strength.WEAKEST;
    private boolean stay = true;

    Variable(int value) {
        this.value = value;
    }

    int value() {
        return value;
    }

    void setValue(int newValue) {
        value = newValue;
    }

    /** All constraints that refer to the variable. */
    Sequence<Constraint> constraints() {
        return constraints;
    }

    /** The constraint whose output the variable is, or null. */
    Constraint determinedBy() {
        return determinedBy;
    }

    void determineBy(Constraint constraint) {
        determinedBy = constraint;
    }

    boolean hasMark(int wanted) {
        return mark == wanted;
    }

    void setMark(int newMark) {
        mark = newMark;
    }

    /** The strength of the weakest constraint that would have to go to set the variable otherwise. */
    Strength walkStrength() {
        return walkStrength;
    }

    void setWalkStrength(Strength strength) {
        walkStrength = strength;
    }

    /** Whether the value cannot change while a plan is executed. */
    boolean stays() {
        return stay;
    }

    void setStay(boolean stays) {
        stay = stays;
    }

    /** Whether the value is known when all variables with this mark are. */
    boolean isKnown(int wanted) {
        return mark == wanted || stay || determinedBy == null;
    }

    void forget() {
        determinedBy = null;
        walkStrength = Strength.WEAKEST;
        stay = true;
    }
}
