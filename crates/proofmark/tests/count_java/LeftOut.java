/** A class that is left out of counting overrides methods of one that is counted, and is called by it. */
public class LeftOut {
    interface Named {
        default String name() {
            return "named";
        }
    }

    static class Counted implements Named {
        int number() {
            return 1;
        }

        int twice() {
            return 2 * number();
        }

        static int of(Counted one) {
            return one.number() + one.twice() + one.name().length();
        }
    }

    static class Between extends Counted {
        int more() {
            return number() + 100;
        }
    }

    public static void main(String[] arguments) {
        Counted[] all = {new Counted(), new Between(), new LeftAlone(), new LeftAlone.Below()};
        for (Counted one : all) {
            System.out.println(one.number() + " " + one.twice() + " " + Counted.of(one) + " " + one.name());
        }
        System.out.println(new LeftAlone().more());
    }
}

/** Left out, with what is nested in it. */
class LeftAlone extends LeftOut.Between {
    @Override
    int number() {
        return super.number() + 10;
    }

    @Override
    public String name() {
        return "left alone";
    }

    static class Below extends LeftAlone {
        @Override
        int twice() {
            return super.twice() + 1000;
        }
    }
}
