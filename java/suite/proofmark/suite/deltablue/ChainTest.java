package proofmark.suite.deltablue;

/** A chain of equalities whose far end wants to stay and whose near end is edited: the worst case for adding. */
public final class ChainTest {
    private static final int EDITS = 100;

    private final Planner planner = new Planner();
    private final Variable near = new Variable(0);
    private final Variable far;

    /** A chain of {@code length} equality constraints. */
    public ChainTest(int length) {
        Variable end = near;
        for (int i = 0; i < length; i++) {
            Variable next = new Variable(0);
            planner.add(new EqualityConstraint(end, next, Strength.REQUIRED));
            end = next;
        }
        far = end;
    }

    /** How many of the 100 values set at the near end arrived at the far end. */
    public int rightValues() {
        planner.add(new StayConstraint(far, Strength.STRONG_DEFAULT));
        EditConstraint edit = new EditConstraint(near, Strength.PREFERRED);
        planner.add(edit);
        Plan plan = planner.planFor(edit);
        int right = 0;
        for (int i = 1; i <= EDITS; i++) {
            near.setValue(i);
            plan.execute();
            right += far.value() == i ? 1 : 0;
        }
        planner.remove(edit);
        return right;
    }
}
