package proofmark.suite.deltablue;

import proofmark.suite.collections.Sequence;

/** Many points mapped by the same scale and offset; both ends of one mapping and the two shared ones are edited. */
public final class ProjectionTest {
    private static final int EDITS = 10;

    private final Planner planner = new Planner();
    private final Variable scale = new Variable(10);
    private final Variable offset = new Variable(1000);
    private final Sequence<Variable> sources = new Sequence<>();
    private final Sequence<Variable> targets = new Sequence<>();

    /** {@code size} mappings. */
    public ProjectionTest(int size) {
        for (int i = 0; i < size; i++) {
            Variable source = new Variable(i);
            Variable target = new Variable(i);
            sources.add(source);
            targets.add(target);
            planner.add(new StayConstraint(source, Strength.NORMAL));
            planner.add(new ScaleConstraint(source, scale, offset, target, Strength.REQUIRED));
        }
    }

    /** How many values followed the edits: two of the edited mapping, then all targets, twice. */
    public int rightValues() {
        int last = sources.size() - 1;
        Variable source = sources.at(last);
        Variable target = targets.at(last);
        int right = 0;
        edit(source, 17);
        right += target.value() == 1170 ? 1 : 0;
        edit(target, 1050);
        right += source.value() == 5 ? 1 : 0;
        edit(scale, 5);
        right += rightTargets(5, 1000);
        edit(offset, 2000);
        right += rightTargets(5, 2000);
        return right;
    }

    private void edit(Variable variable, int value) {
        EditConstraint edit = new EditConstraint(variable, Strength.PREFERRED);
        planner.add(edit);
        Plan plan = planner.planFor(edit);
        for (int i = 0; i < EDITS; i++) {
            variable.setValue(value);
            plan.execute();
        }
        planner.remove(edit);
    }

    /** How many targets are right when every source has its own number, but the last, which is 5. */
    private int rightTargets(int factor, int summand) {
        int last = sources.size() - 1;
        int right = 0;
        for (int i = 0; i <= last; i++) {
            int source = i < last ? i : 5;
            right += targets.at(i).value() == source * factor + summand ? 1 : 0;
        }
        return right;
    }
}
